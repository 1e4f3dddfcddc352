import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { skipWithout } from '@matchyard/tooling/needs'
import { afterEach, expect, it } from 'vitest'
import { guardRules } from '../../src/process/inner-port-guard'
import { writeCertificate } from '../../src/process/testing/index'
import { TwoMachines } from './networks'

const FRONT = fileURLToPath(new URL('../../supervisor/front/main.mjs', import.meta.url))
const RANGE = { from: 30_000, to: 31_999 }
const [INNER, EXTERNAL] = [30_001, 20_001]

const undo: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
})

/** Starts a program in a network, and waits for its first output. */
async function started([program = '', ...args]: readonly string[], stdio: 'ignore' | 'ipc' = 'ignore'): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit', stdio] })
  undo.push(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  await Promise.race([once(child.stdout as NodeJS.ReadableStream, 'data'), once(child, 'message')])
}

/** Returns `open` when a connection from this network succeeds within a second, and otherwise `shut`. */
async function look(command: readonly string[], host: string, port: number): Promise<string> {
  const program = `const { connect } = require('node:net')
    const socket = connect({ host: '${host}', port: ${port} }, () => { console.log('open'); process.exit() })
    socket.on('error', () => { console.log('shut'); process.exit() })
    setTimeout(() => { console.log('shut'); process.exit() }, 1000)`
  const [first = '', ...rest] = command
  const { stdout } = await promisify(execFile)(first, [...rest, process.execPath, '-e', program])
  return stdout.trim()
}

it('other machines reach a game server only through its front, and this machine still reaches it by itself', async (context) => {
  const machines = await TwoMachines.create().catch((error) =>
    skipWithout(context, 'networks of its own', String(error)),
  )
  undo.push(() => machines.remove())
  const folder = mkdtempSync(join(tmpdir(), 'guard-'))
  undo.push(() => rm(folder, { recursive: true, force: true }))
  const certificate = await writeCertificate(folder, 'machine')
  const plan = join(folder, 'front.json')
  writeFileSync(plan, JSON.stringify({ ports: [{ port: EXTERNAL, inner: INNER }], certificate }))
  const game = `require('node:net').createServer((s) => s.pipe(s)).listen(${INNER}, () => console.log('up'))`
  await started(machines.within('host', process.execPath, '-e', game))
  await started(machines.within('host', process.execPath, FRONT, plan), 'ipc')
  const seen = async () => ({
    strangerInner: await look(machines.within('stranger'), machines.address, INNER),
    strangerExternal: await look(machines.within('stranger'), machines.address, EXTERNAL),
    ownInner: await look(machines.within('host'), machines.address, INNER),
  })
  expect(await seen()).toEqual({ strangerInner: 'open', strangerExternal: 'open', ownInner: 'open' })

  const rules = join(folder, 'rules')
  writeFileSync(rules, guardRules(RANGE))
  const [program = '', ...args] = machines.within('host', 'nft', '-f', rules)
  for (let round = 0; round < 2; round++)
    await promisify(execFile)(program, args).catch((error) => skipWithout(context, 'nftables', String(error)))
  expect(await seen()).toEqual({ strangerInner: 'shut', strangerExternal: 'open', ownInner: 'open' })
})
