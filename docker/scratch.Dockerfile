# The last stage of Dockerfile, for a program that is built already: see docker/build.
FROM scratch
COPY arrayplane /arrayplane
COPY --chown=65532:65532 data /data
USER 65532:65532
ENV ARRAYPLANE_LISTEN=0.0.0.0:8080
EXPOSE 8080 8443
HEALTHCHECK --interval=5s --timeout=3s --start-period=2s CMD ["/arrayplane", "healthcheck"]
ENTRYPOINT ["/arrayplane"]
CMD ["serve"]
