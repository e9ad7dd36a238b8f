# A small image with svc. packaging/build linux-x64 linux-arm64 comes first; then, where a container engine is:
#   docker buildx build --platform linux/amd64,linux/arm64 --tag svc .
#   docker run --rm --volume "$PWD:/work" svc plan storage.yml
FROM gcr.io/distroless/cc-debian12:nonroot AS amd64
COPY --chmod=755 target/packages/build/linux-x64/svc /usr/bin/svc

FROM gcr.io/distroless/cc-debian12:nonroot AS arm64
COPY --chmod=755 target/packages/build/linux-arm64/svc /usr/bin/svc

# BuildKit sets it. An ARG line with a default would win over it, and every image would have the same program.
# hadolint ignore=DL3006
FROM ${TARGETARCH}
LABEL org.opencontainers.image.title="svc" \
      org.opencontainers.image.description="Deploys Azure infrastructure from settings documents." \
      org.opencontainers.image.licenses="MIT"
COPY LICENSE target/packages/texts/THIRD-PARTY-NOTICES.txt /usr/share/doc/svc/
WORKDIR /work
ENTRYPOINT ["/usr/bin/svc"]
CMD ["help"]
