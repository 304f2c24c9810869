# Debian, not Alpine: the embedded engine has wheels for glibc only.
# A tag can be moved. To pin the image itself, write its digest behind the tag of both lines, python:TAG@sha256:...
# (`docker buildx imagetools inspect python:3.13.9-slim-bookworm` says it).
FROM python:3.13.9-slim-bookworm AS build
WORKDIR /src
RUN python -m venv /opt/build
COPY requirements-build.lock ./
RUN /opt/build/bin/python -m pip install --no-cache-dir --only-binary :all: --require-hashes --requirement requirements-build.lock
COPY pyproject.toml README.md LICENSE ./
COPY app ./app
COPY ingest ./ingest
COPY bench ./bench
COPY cypher ./cypher
COPY examples ./examples
COPY taxonomies ./taxonomies
RUN /opt/build/bin/python -m pip wheel --no-cache-dir --no-deps --no-build-isolation --no-index --wheel-dir /wheels .

FROM python:3.13.9-slim-bookworm
COPY requirements.lock /opt/locks/
RUN python -m venv /opt/outfitter
RUN /opt/outfitter/bin/python -m pip install --no-cache-dir --only-binary :all: --require-hashes --requirement /opt/locks/requirements.lock
COPY --from=build /wheels /wheels
RUN /opt/outfitter/bin/python -m pip install --no-cache-dir --no-deps --no-index /wheels/outfitter-*.whl
RUN /opt/outfitter/bin/python -m pip check
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
