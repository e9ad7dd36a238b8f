# A small image with svc, from what packaging/program has put together. packaging/image builds and tries it; a release does
#   docker buildx build --platform linux/amd64,linux/arm64 --tag svc .
FROM gcr.io/distroless/cc-debian12:nonroot
# The builder sets it. A default would win over what it sets, and every image would have the same program.
ARG TARGETARCH
COPY --chmod=755 target/packages/image/${TARGETARCH}/svc /usr/bin/svc
COPY LICENSE target/packages/image/THIRD-PARTY-NOTICES.txt /usr/share/doc/svc/
LABEL org.opencontainers.image.title="svc" \
      org.opencontainers.image.description="Deploys Azure infrastructure from settings documents." \
      org.opencontainers.image.licenses="MIT"
WORKDIR /work
ENTRYPOINT ["/usr/bin/svc"]
CMD ["help"]
