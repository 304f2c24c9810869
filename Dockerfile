# Debian, not Alpine: the embedded engine has wheels for glibc only.
FROM python:3.13.9-slim-bookworm AS build
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY app ./app
COPY ingest ./ingest
COPY bench ./bench
COPY cypher ./cypher
COPY examples ./examples
RUN python -m pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.13.9-slim-bookworm
COPY --from=build /wheels /wheels
RUN python -m venv /opt/outfitter
RUN /opt/outfitter/bin/python -m pip install --no-cache-dir --only-binary :all: /wheels/outfitter-*.whl
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/outfitter outfitter
ENV PATH=/opt/outfitter/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    OUTFITTER_DATA_DIR=/var/lib/outfitter/data \
    OUTFITTER_HOST=0.0.0.0
USER outfitter
RUN mkdir -p /var/lib/outfitter/data
VOLUME /var/lib/outfitter/data
EXPOSE 8000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/readyz', timeout=2)"]
ENTRYPOINT ["outfitter"]
CMD ["serve"]
