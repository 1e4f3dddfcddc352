import type { FixtureName } from './harness'

/** A file of a fixture (a small build for tests). The `executablePath` of every fixture is `server`. */
export interface FixtureFile {
  readonly path: string
  readonly content: string
  readonly executable: boolean
}

export const FIXTURE_EXECUTABLE = 'server'

const program = (content: string): FixtureFile => ({ path: FIXTURE_EXECUTABLE, content, executable: true })

/**
 * A game server that follows commands. It listens on every `PORT_<NAME>` of its environment, except those after
 * `--late`. It returns each datagram on PORT_GAME* and PORT_BOTH*; the TCP ports and PORT_BOTH* take one JSON command
 * per line.
 *
 * Arguments:
 * - `--say TEXT` prints the text.
 * - `--exit N` exits at once.
 * - `--ignore-term` ignores SIGTERM.
 * - `--save MS` writes a file for this time after SIGTERM, prints that it has saved, and exits.
 * - `--late NAME` does not listen on that port at first.
 * - `--udp PORT` listens for datagrams on a port that nobody requested.
 */
const PROBE = `#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

const args = process.argv.slice(2)
const all = (name) => args.flatMap((arg, i) => (arg === name ? [args[i + 1]] : []))
const startId = randomUUID()
console.log('started ' + startId)
for (const text of all('--say')) console.log(text)
for (const code of all('--exit')) process.exit(Number(code))
process.on('SIGTERM', () => {
  console.log('asked to stop')
  if (args.includes('--ignore-term')) return
  const [saving] = all('--save')
  if (saving === undefined) process.exit(0)
  setTimeout(save, Number(saving))
})

function save() {
  const file = join(process.env.HOME, 'saved')
  writeFileSync(file, startId)
  console.log('saved ' + readFileSync(file, 'utf8'))
  process.exit(0)
}

const tries = (work) => {
  try {
    work()
    return true
  } catch {
    return false
  }
}

const report = () => ({
  startId,
  args,
  environment: process.env,
  directory: process.cwd(),
  config: readFileSync(process.env.SVC_CONFIG_FILE, 'utf8'),
  files: { beside: readFileSync('assets/note.txt', 'utf8') },
  configWritable: tries(() => writeFileSync(process.env.SVC_CONFIG_FILE, 'changed')),
  homeWritable: tries(() => writeFileSync(join(process.env.HOME, 'mine'), 'x')),
})

// A child that leaves the process group, and answers datagrams as long as it lives.
const DAEMON = 'const s = require("node:dgram").createSocket("udp4");' +
  's.on("message", (m, from) => s.send(m, from.port, from.address)); s.bind(Number(process.argv[1]), () => console.log("bound"))'

const commands = {
  report,
  listen: ({ name }) => listen(name),
  print: ({ stream, text }) => void process[stream].write(text),
  exit: ({ code }) => process.exit(code),
  signal: ({ name }) => process.kill(process.pid, name),
  reads: ({ path }) => tries(() => readFileSync(path)),
  read: ({ path }) => readFileSync(path, 'utf8'),
  detach: ({ port }) => new Promise((resolve) => {
    const child = spawn(process.execPath, ['-e', DAEMON, String(port)], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
    child.stdout.once('data', () => resolve(child.pid))
  }),
  eat: () => {
    const kept = []
    for (;;) kept.push(Buffer.alloc(8 * 1024 * 1024, 1))
  },
}

function answer(socket) {
  let text = ''
  socket.on('error', () => {})
  socket.on('data', async (data) => {
    text += data
    if (!text.includes('\\n')) return
    const command = JSON.parse(text)
    const result = await commands[command.do](command)
    socket.end(JSON.stringify(result ?? null))
  })
}

const listen = (name) => new Promise((resolve) => {
  const port = Number(process.env[name])
  if (name.startsWith('PORT_BOTH')) createServer(answer).listen(port)
  else if (!name.startsWith('PORT_GAME')) return createServer(answer).listen(port, resolve)
  const socket = createSocket('udp4')
  socket.on('message', (message, from) => socket.send(message, from.port, from.address))
  socket.bind(port, resolve)
})

for (const port of all('--udp')) createSocket('udp4').bind(Number(port), () => console.log('elsewhere'))
const late = all('--late')
for (const name of Object.keys(process.env)) if (/^PORT_/.test(name) && !late.includes(name)) listen(name)
setInterval(() => {}, 1 << 30)
`

/**
 * A start script as game engines generate it: without `exec`, the script stays the first process and forwards no
 * signal. `--by PROGRAM` starts the game through another program.
 */
const SCRIPT = `#!/bin/sh
if [ "$1" = --by ]; then by=$2; shift 2; fi
$by ./game "$@"
exit $?
`

/**
 * The script files are ES modules without a file extension, so the folder needs a package.json with `"type": "module"`.
 */
const modules: FixtureFile = { path: 'package.json', content: '{"type":"module"}', executable: false }

export const NOTE = 'packed with the program\n'

/** The files in each fixture's archive or image. */
export const ORCHESTRATOR_FIXTURES: Readonly<Record<Exclude<FixtureName, 'missing'>, readonly FixtureFile[]>> = {
  probe: [program(PROBE), modules, { path: 'assets/note.txt', content: NOTE, executable: false }],
  scripted: [
    program(SCRIPT),
    { path: 'game', content: PROBE, executable: true },
    modules,
    { path: 'assets/note.txt', content: NOTE, executable: false },
  ],
  'not-executable': [program('echo this must never run\n')],
  'no-interpreter': [program('#!/nowhere/interpreter\n')],
}
