"""Every module that declares routes; whoever serves loads this."""

from ledger.web import cases as cases
from ledger.web import deals as deals
from ledger.web import exporting as exporting
from ledger.web import history as history
from ledger.web import live as live
from ledger.web import openapi as openapi
from ledger.web import people as people
from ledger.web import pictures as pictures
from ledger.web import proofs as proofs
from ledger.web import root as root
from ledger.web import rules as rules
from ledger.web import signing_in as signing_in
from ledger.web import streams as streams
from ledger.web import tables as tables
from ledger.web import tokens as tokens
from ledger.web import writing as writing
