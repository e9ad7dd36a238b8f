# A small image with svc, from what packaging/program has put together. packaging/image builds and tries it; a release does
#   docker buildx build --platform linux/amd64,linux/arm64 --tag svc .
FROM gcr.io/distroless/cc-debian12:nonroot
# The builder sets it. A default would win over what it sets, and every image would have the same program.
ARG TARGETARCH
COPY --chmod=755 target/packages/image/${TARGETARCH}/svc /usr/bin/svc
COPY LICENSE target/packages/image/THIRD-PARTY-NOTICES.txt /usr/share/doc/svc/
LABEL org.opencontainers.image.title="svc" \
      org.opencontainers.image.description="Deploys Azure infrastructure from settings documents." \
      org.opencontainers.image.vendor="Svc Deploy contributors" \
      org.opencontainers.image.licenses="MIT"
# What only the release knows; docker/metadata-action has the same names.
ARG SOURCE="" REVISION="" VERSION="" CREATED=""
LABEL org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.url="${SOURCE}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.created="${CREATED}"
WORKDIR /work
ENTRYPOINT ["/usr/bin/svc"]
CMD ["help"]
