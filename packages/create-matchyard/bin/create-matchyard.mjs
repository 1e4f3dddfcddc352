#!/usr/bin/env node
// The Node version is checked first: the rest needs a newer Node than an outdated one.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 12)) {
  console.error(
    `create-matchyard needs Node 20.19+ or 22.12+; this is ${process.versions.node}. Get one at https://nodejs.org`,
  )
  process.exitCode = 1
} else {
  const { main } = await import('../src/main.mjs')
  process.exitCode = main(process.argv.slice(2))
}
