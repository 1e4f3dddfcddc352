import type { TestContext } from 'vitest'
import type { Reporter, TestModule } from 'vitest/node'

/** Programs that some tests need and that may be missing, each with the way to install it. */
const PROGRAMS = {
  bubblewrap: 'install the package bubblewrap',
  'a disk of its own': 'test as root on Linux, where a file system may be mounted',
  'a container engine': 'install the package docker.io and test as root on Linux, or set DOCKER_HOST',
  'network namespaces': 'install the package iproute2 and test as root on Linux',
  'a browser': 'install the package chromium',
  mono: 'install the packages mono-mcs, mono-runtime and libmono-system-net-http4.0-cil',
  Godot: 'install the package godot3-server',
  curl: 'install the package curl',
  openssl: 'install the package openssl',
  'a C compiler': 'install the package gcc',
  'a C++ compiler with libcurl': 'install the packages g++ and libcurl4-openssl-dev',
  Helm: 'install helm',
  Prometheus: 'install the package prometheus',
  Python: 'install the packages python3 and python3-jwt',
  'networks of its own': 'install the package iproute2 and test as root on Linux',
  nftables: 'install the package nftables and test as root on Linux',
  nginx: 'install the package nginx',
  PgBouncer: 'install the package pgbouncer',
  Deno: 'run npm install --global deno',
  Bun: 'run npm install --global bun',
} as const

export type OptionalProgram = keyof typeof PROGRAMS

const noteOf = (program: OptionalProgram): string => `not run without ${program}`

/**
 * Skips a test whose program is missing; the end of the run reports this. `why` is the reason why the program cannot be
 * used on this machine.
 */
export function skipWithout(context: Pick<TestContext, 'skip'>, program: OptionalProgram, why: string): never {
  return context.skip(`${noteOf(program)}: ${why}`)
}

/**
 * Prints one line before the summary of a test run: the number of skipped tests, the missing programs, and how to
 * install them.
 */
export class NotRunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const notes: string[] = []
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result()
        if (result.state === 'skipped' && result.note !== undefined) notes.push(result.note)
      }
    }
    const line = notRun(notes)
    if (line !== undefined) console.log(`\n${line}`)
  }
}

/**
 * Returns the line about skipped tests, from the notes that the tests left. Returns undefined when no test was skipped
 * for a missing program.
 */
export function notRun(notes: readonly string[]): string | undefined {
  const parts = Object.entries(PROGRAMS).flatMap(([program, how]) => {
    const count = notes.filter((note) => note.startsWith(noteOf(program as OptionalProgram))).length
    return count === 0 ? [] : [`${count} ${count === 1 ? 'test' : 'tests'} for want of ${program} (${how})`]
  })
  return parts.length === 0 ? undefined : `Not run: ${parts.join('; ')}.`
}
