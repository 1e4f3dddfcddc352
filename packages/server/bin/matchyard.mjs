#!/usr/bin/env node
// This file needs no build, so that an install can link the command before the build.
await import('../dist/cli.js')
