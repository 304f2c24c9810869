"""The taxonomy that ships is as its schema says, and what is left out of it is left out."""

import re
from collections import Counter
from importlib.resources import files

import pytest

from app.domain.language.accepted_text import TextLimits
from app.errors import InvalidInputError
from ingest.cards import Origin
from ingest.sources.taxonomy.common import CommonTaxonomy, common_items, domain_methods, domains
from ingest.sources.taxonomy.reader import parse_taxonomy

LANGUAGES = {"de", "es", "fr", "zh", "ko", "ja"}
VENDORS = """
airbnb airtable algolia amadeus amazon asana atlassian auth0 aws azure bamboohr basecamp bigcommerce bigquery
bitbucket bitly braintree buildkite calendly circleci clickup cloudflare contentful coinbase
databricks datadog deepl digitalocean discord docker docusign dropbox ebay elasticsearch etsy evernote expedia
facebook figma firebase freshdesk gcp gitea github gitlab gmail google grafana heroku hubspot instagram
jenkins jira kafka klaviyo kubernetes kubectl linkedin magento mailchimp mailgun mapbox microsoft mixpanel
mongodb mysql netlify newrelic npm okta onedrive openai openstreetmap openweathermap opsgenie outlook pagerduty
paypal pinterest pipedrive plaid podman postgres postgresql posthog prometheus pypi quickbooks reddit redis
salesforce sendgrid sentry servicenow sharepoint shopify skyscanner slack snowflake spotify stripe
supabase telegram terraform tiktok tmdb todoist trello tripadvisor twilio twitch twitter typeform vercel vimeo
vonage webex whatsapp woocommerce wordpress xero yelp youtube zapier zendesk zoho 
""".split()
"""Of servers that people connect, but for those that are words of English, such as box, linear and square."""


def test_there_are_815_methods_in_34_domains() -> None:
    methods = CommonTaxonomy().methods()

    assert len(domains()) == 34
    assert len(methods) == len({one.id for one in methods}) == 815
    assert {one.category for one in methods} == set(domains())
    assert all(one.common and not one.suggests and not one.implements for one in methods)


@pytest.mark.parametrize("domain", domains())
def test_each_method_says_what_it_is_and_how_people_ask_for_it(domain: str) -> None:
    """Four requests in English, one in each of six languages, no two alike, none empty."""
    for item in domain_methods(domain):
        assert item.name, item.id
        assert item.description.endswith("."), item.id
        assert item.works_on, item.id
        assert item.implements == (), item.id
        assert item.requests.keys() == {"en", *LANGUAGES}, item.id
        assert len(item.requests["en"]) == 4, item.id
        assert all(len(item.requests[language]) == 1 for language in LANGUAGES), item.id
        assert all(text == text.strip() != "" for text in item.said), item.id
        assert len(set(item.said)) == 10, item.id


def test_a_request_is_of_one_method() -> None:
    counted = Counter(text.lower() for one in common_items().values() for text in one.said)

    assert [text for text, times in counted.items() if times > 1] == []


def test_what_a_method_is_told_apart_from_is_there() -> None:
    items = common_items()

    for item in items.values():
        assert set(item.apart_from) <= items.keys() - {item.id}, item.id
        assert all(item.apart_from.values()), item.id


@pytest.mark.parametrize("domain", domains())
def test_no_vendor_is_named(domain: str) -> None:
    """As far as a list of servers' names can tell."""
    vendors = set(VENDORS)
    for item in domain_methods(domain):
        for text in (
            item.id,
            item.name,
            item.description,
            *item.words,
            *item.said,
            *item.apart_from.values(),
        ):
            assert not vendors & set(re.findall(r"[a-z0-9]+", text.lower())), (item.id, text)


@pytest.mark.parametrize("domain", domains())
def test_each_file_is_a_taxonomy_that_can_be_ingested_as_one(domain: str) -> None:
    """An operator may copy one and change it."""
    data = files("taxonomies").joinpath("common", f"{domain}.yaml").read_bytes()
    origin = Origin("taxonomy", domain, f"{domain}.yaml", "", TextLimits(4_000, 4_000))

    document = parse_taxonomy(data, origin)

    assert document.rejected == ()
    assert document.warnings == ()


def test_domains_and_servers_are_left_out() -> None:
    whole, some = CommonTaxonomy(), CommonTaxonomy(("weather", "manifest:shop"))

    assert {one.category for one in whole.methods()} - {one.category for one in some.methods()} == {"weather"}
    assert (some.accepts("shop"), some.accepts("bank"), whole.accepts("shop")) == (False, True, True)


def test_its_version_is_that_of_all_that_links_depend_on() -> None:
    """Whatever is left out makes another; the order in which that is said does not."""
    versions = [
        CommonTaxonomy(without).version
        for without in [(), ("weather",), ("manifest:a",), ("manifest:b",), ("weather", "manifest:a")]
    ]

    assert len(set(versions)) == len(versions)
    assert CommonTaxonomy(("manifest:a", "weather")).version == versions[-1]
    assert CommonTaxonomy().version == versions[0]


@pytest.mark.parametrize(
    ("without", "message"),
    [
        ("wether", "the common taxonomy has no domain 'wether'; known near ones: weather"),
        ("", "the common taxonomy has no domain ''; analytics_and_reporting"),
        (
            "arazzo:x",
            "cannot leave out 'arazzo:x'; accepted: manifest:NAME, mcp:NAME, openapi:NAME, or a domain",
        ),
        ("manifest:", "cannot leave out 'manifest:'; accepted: manifest:NAME"),
        ("../weather", "has no domain '../weather'"),
    ],
)
def test_what_cannot_be_left_out_is_refused(without: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(message)):
        CommonTaxonomy((without,))
