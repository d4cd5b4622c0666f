"""Requests that the httpx questions are about; none of them leaves the machine."""

# --8<-- [start:protocol]
import httpx

httpx.get("foo://example.org/")
# --8<-- [end:protocol]

# --8<-- [start:body]
import httpx

request = httpx.Request("POST", "https://example.org/", json={"a": 1, "b": 2})
print(request.content.decode())
# --8<-- [end:body]

# --8<-- [start:status]
import httpx

response = httpx.Response(404)
response.raise_for_status()
# --8<-- [end:status]

# --8<-- [start:redirect]
import httpx


def moved(request):
    return httpx.Response(302, headers={"Location": "https://example.org/new"})


client = httpx.Client(transport=httpx.MockTransport(moved))
print(client.get("https://example.org/old").status_code)
# --8<-- [end:redirect]

# --8<-- [start:timeout]
import httpx

httpx.Timeout(connect=5.0)
# --8<-- [end:timeout]

# --8<-- [start:online]
import httpx

print(httpx.get("https://www.python.org/").status_code)
# --8<-- [end:online]
