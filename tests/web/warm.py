"""Fill the caches of templates, sentences and files; services that are forked afterwards find them filled."""

from itertools import product

from ledger.i18n import catalogue
from ledger.text.site.files import site_files
from ledger.text.site.frame import _templates

for name in _templates().list_templates():
    _templates().get_template(name)
for package, lang in product(("ledger.access", "ledger.text", "ledger.text.site", "ledger.web"), ("en", "ja")):
    catalogue(package, lang)
site_files()
