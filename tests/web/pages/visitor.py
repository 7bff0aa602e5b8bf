"""A visitor of pages without script: follows links, fills in fields and presses buttons by the words that they show."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import urldefrag, urlencode, urljoin, urlsplit

from tests.web.attacking import Attacked
from tests.web.pages.forms import text_of

_VOID: Final = frozenset(("area", "br", "col", "hr", "img", "input", "link", "meta", "wbr"))
_CHECKED: Final = ("radio", "checkbox")


class Element:
    """An element of a page, with its attributes, its parent and the text in it."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None) -> None:
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.words: list[str] = []

    @property
    def text(self) -> str:
        """The text in the element, or its spoken name."""
        return self.attributes.get("aria-label") or " ".join("".join(self.words).replace("\ufe0e", "").split())

    @property
    def is_hidden(self) -> bool:
        """Whether nobody sees it without script."""
        one: Element | None = self
        while one is not None:
            closed = one.tag == "template" or (one.tag == "dialog" and "open" not in one.attributes)
            if closed or "hidden" in one.attributes:
                return True
            one = one.parent
        return self.tag == "a" and "href" not in self.attributes

    def within(self, tag: str) -> Element | None:
        """Return the nearest surrounding element with this tag."""
        one = self.parent
        while one is not None and one.tag != tag:
            one = one.parent
        return one


class _Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        one = Element(tag, {name: value or "" for name, value in attrs}, self._open[-1] if self._open else None)
        self.elements.append(one)
        if tag not in _VOID:
            self._open.append(one)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}, self._open[-1]))

    def handle_endtag(self, tag: str) -> None:
        self._open.pop()

    def handle_data(self, data: str) -> None:
        if not any(one.attributes.get("aria-hidden") == "true" for one in self._open):
            for one in self._open:
                one.words.append(data)


def elements_of(page: str) -> list[Element]:
    """Return the elements of a page in their order."""
    return _Reader(page).elements


class Visitor:
    """A browser window without script. `steps`: how often it went, filled in or pressed something."""

    def __init__(self, service: Attacked, **who: Any) -> None:
        self._service, self._who = service, who
        self.steps = 0
        self.path = "/"
        self.page = ""
        self._elements: list[Element] = []
        self._typed: dict[Element, str] = {}
        self._cookies: dict[str, str] = {}

    @property
    def text(self) -> str:
        """The readable text of the page."""
        return text_of(self.page)

    def open(self, path: str, form: list[tuple[str, str]] | None = None) -> None:
        """Open an address, or send a form there, and follow its redirects."""
        path, sent = urldefrag(path).url, None if form is None else dict(form)
        while True:
            cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            headers = [("cookie", cookies)] if cookies else []
            reply = self._service.browse(path, *headers, form=sent, **self._who)
            for line in reply.all("set-cookie"):
                name, _, value = line.partition(";")[0].partition("=")
                self._cookies[name] = value
            if reply.status not in (302, 303):
                break
            path, sent = urldefrag(urljoin(path, reply.header("location") or "")).url, None
        if "attachment" in (reply.header("content-disposition") or ""):
            assert reply.status == 200 and reply.body
            return  # a file is saved, and the page stays
        self.path, self.page = path, reply.body.decode()
        assert reply.status in (200, 422, 409), f"{path}: {reply.status} {self.text}"
        self._elements, self._typed = elements_of(self.page), {}

    def go(self, name: str) -> None:
        """Follow the first link with this name, or that begins with it."""
        link = self._named("a", name)
        self.steps += 1
        self.open(urljoin(self.path, link.attributes["href"]))

    def fill(self, label: str, value: str) -> None:
        """Type a value into the field with this label, or choose the first option that begins with it."""
        field = self._field(label)
        self.steps += 1
        if field.tag == "select":
            shown = [one for one in self._elements if one.tag == "option" and one.within("select") is field]
            value = next(one.attributes.get("value", one.text) for one in shown if one.text.startswith(value))
        self._typed[field] = value

    def choose(self, label: str) -> None:
        """Choose the radio button, or tick or clear the box, with this label."""
        field = self._field(label)
        self.steps += 1
        self._typed[field] = "" if self._is_checked(field) and field.attributes["type"] == "checkbox" else "on"
        if field.attributes["type"] == "radio":
            for other in self._fields(field.within("form")):
                if other is not field and other.attributes.get("name") == field.attributes["name"]:
                    self._typed[other] = ""

    def press(self, name: str) -> None:
        """Press the button with this name: its form is sent."""
        button = self._named("button", name)
        named = [one for one in self._elements if one.tag == "form" and one.attributes.get("id")]
        of_id = (one for one in named if one.attributes["id"] == button.attributes.get("form"))
        form = next(of_id, button.within("form"))
        assert form is not None, f"the button {name} needs script"
        self.steps += 1
        pressed = button.attributes
        values = [value for one in self._fields(form) for value in self._values(one)]
        if "name" in pressed:
            values.append((pressed["name"], pressed.get("value", "")))
        to = urljoin(self.path, pressed.get("formaction") or form.attributes.get("action") or self.path)
        if (pressed.get("formmethod") or form.attributes.get("method", "get")).lower() == "post":
            self.open(to, values)
        else:
            self.open(f"{urlsplit(to).path}?{urlencode(values)}")

    def _named(self, tag: str, name: str) -> Element:
        named = [one for one in self._elements if one.tag == tag and not one.is_hidden]
        exact = [one for one in named if one.text == name] or [one for one in named if one.text.startswith(name)]
        assert exact, f"{self.path} has no {tag} {name!r}, only {[one.text for one in named]}"
        return exact[0]

    def _field(self, label: str) -> Element:
        """Return the field with this label; `group: label` names its group, too, if other groups have such a label."""
        group, _, name = label.rpartition(": ")
        labels = [one for one in self._elements if one.tag == "label" and one.text.startswith(name) and group]
        legends = {one.parent for one in self._elements if one.tag == "legend" and one.text == group}
        one = next((one for one in labels if one.within("fieldset") in legends), None) or self._named("label", label)
        if "for" in one.attributes:
            return next(other for other in self._elements if other.attributes.get("id") == one.attributes["for"])
        return next(other for other in self._elements if other.tag == "input" and other.within("label") is one)

    def _fields(self, form: Element | None) -> list[Element]:
        fields = [one for one in self._elements if one.tag in ("input", "select", "textarea")]
        id = None if form is None else form.attributes.get("id")
        return [
            one
            for one in fields
            if (one.within("form") is form or (id and one.attributes.get("form") == id))
            and "disabled" not in one.attributes
        ]

    def _is_checked(self, field: Element) -> bool:
        return bool(self._typed[field]) if field in self._typed else "checked" in field.attributes

    def _values(self, field: Element) -> list[tuple[str, str]]:
        name, kind = field.attributes.get("name"), field.attributes.get("type")
        if not name:
            return []
        if kind in _CHECKED:
            return [(name, field.attributes.get("value", "on"))] if self._is_checked(field) else []
        if field in self._typed:
            return [(name, self._typed[field])]
        if field.tag == "select":
            options = [one for one in self._elements if one.tag == "option" and one.within("select") is field]
            chosen = [one for one in options if "selected" in one.attributes] or options[:1]
            return [(name, one.attributes.get("value", one.text)) for one in chosen]
        if field.tag == "textarea":
            return [(name, "".join(field.words))]
        return [(name, field.attributes.get("value", ""))]
