#!/usr/bin/env node
// Not built, so that an install can link the command before there is a build.
await import('../dist/cli.js')
