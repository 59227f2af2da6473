# The grader with this course; how to use it is in grader/docs/docker.md
FROM python:3.11-slim
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
COPY . /course
RUN pip install --no-cache-dir -e /course/grader -e '/course[grade]'
ENV HOME=/tmp
WORKDIR /course
ENTRYPOINT ["labkit"]
