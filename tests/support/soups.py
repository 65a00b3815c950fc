"""Soups of pages in half of the time: as `BeautifulSoup(page, "lxml")` makes them, tag for tag, without asking at each one what
no page has: namespaces, places in the source, filters."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup
from bs4.builder import builder_registry
from bs4.builder._lxml import LXMLTreeBuilder
from bs4.element import AttributeValueList, NavigableString, PageElement, Tag

SPACES = "".join(BeautifulSoup.ASCII_SPACES)
SUBSTITUTED = {"meta"}  # whose encoding is put in when they are written out


def serve() -> None:
    """Have every `BeautifulSoup(page, "lxml")` made like this."""
    builder_registry.register(PageBuilder)


class PageBuilder(LXMLTreeBuilder):
    """What lxml calls for each tag, end and text of a page."""

    def start(self, tag: str, attrib: Any, nsmap: Any = {}) -> None:  # noqa: B006 - as lxml calls it
        soup = self.soup
        if nsmap or len(self.nsmaps) > 1 or soup.parse_only or soup.element_classes:
            super().start(tag, attrib, nsmap)
            return
        if soup.current_data:
            self._text()
        attrs = self.attribute_dict_class(attrib)
        for kind in ("*", tag):
            for name in self.cdata_list_attributes.get(kind, ()):
                if name in attrs:
                    attrs[name] = AttributeValueList(attrs[name].split())
        made = Tag.__new__(Tag)
        made.__dict__ = {
            "parser_class": type(soup),
            "name": tag,
            "namespace": None,
            "_namespaces": self.active_namespace_prefixes[-1],
            "prefix": None,
            "sourceline": None,
            "sourcepos": None,
            "attribute_value_list_class": AttributeValueList,
            "attrs": attrs,
            "known_xml": False,
            "contents": [],
            "hidden": False,
            "can_be_empty_element": tag in self.empty_element_tags,
            "cdata_list_attributes": self.cdata_list_attributes,
            "preserve_whitespace_tags": self.preserve_whitespace_tags,
            "interesting_string_types": Tag.MAIN_CONTENT_STRING_TYPES,
        }
        if tag in self.string_containers:
            made.interesting_string_types = {self.string_containers[tag]}
        if tag in SUBSTITUTED:
            self.set_up_substitutions(made)
        self._link(made)
        soup.tagStack.append(made)
        soup.currentTag = made
        if tag in self.preserve_whitespace_tags:
            soup.preserve_whitespace_tag_stack.append(made)
        if tag in self.string_containers:
            soup.string_container_stack.append(made)

    def end(self, tag: str) -> None:
        soup = self.soup
        if len(self.nsmaps) > 1 or soup.currentTag.name != tag:
            super().end(tag)
            return
        if soup.current_data:
            self._text()
        made = soup.tagStack.pop()
        for inside in (soup.preserve_whitespace_tag_stack, soup.string_container_stack):
            if inside and inside[-1] is made:
                inside.pop()
        soup.currentTag = soup.tagStack[-1]

    def _text(self) -> None:
        soup = self.soup
        text = "".join(soup.current_data)
        soup.current_data = []
        if not soup.preserve_whitespace_tag_stack and not text.strip(SPACES):
            text = "\n" if "\n" in text else " "
        within = soup.string_container_stack
        kind = self.string_containers.get(within[-1].name, NavigableString) if within else NavigableString
        made = str.__new__(kind, text)
        made.hidden = False
        self._link(made)

    def _link(self, made: PageElement) -> None:
        """Put it behind what was read before it."""
        soup = self.soup
        parent, before = soup.currentTag, soup._most_recent_element
        beside = parent.contents[-1] if parent.contents else None
        made.parent, made.previous_element, made.previous_sibling = parent, before, beside
        made.next_element = made.next_sibling = None
        if before is not None:
            before.next_element = made
        if beside is not None:
            beside.next_sibling = made
        parent.contents.append(made)
        soup._most_recent_element = made
