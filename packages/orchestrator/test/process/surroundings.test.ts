import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TIER_SIZES } from '@matchyard/core'
import type { LaunchSpec } from '@matchyard/core/ports'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { executableFault } from '../../src/kit/index'
import type { Sandbox } from '../../src/process/sandbox-command'
import { surroundingsOf } from '../../src/process/surroundings'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'surroundings-'))
})
afterAll(() => rm(folder, { recursive: true, maxRetries: 20, retryDelay: 50 }))

const spec: LaunchSpec = {
  instanceId: 'srv_1',
  attempt: 1,
  projectId: 'prj_1',
  matchId: null,
  readiness: 'port',
  region: 'iad',
  tier: '1x-1g',
  tierSize: TIER_SIZES['1x-1g'],
  build: { type: 'zip', buildId: 'bld_1', executablePath: 'server' },
  startupArgs: '',
  networkPorts: [],
  portRequests: [],
  config: {},
}

const sandbox = (over: Partial<Sandbox> = {}): Sandbox => ({
  bwrap: '/usr/bin/bwrap',
  setpriv: undefined,
  readOnlyPaths: [],
  hiddenPaths: [],
  ...over,
})

const faultOf = (interpreter: string, around: Sandbox | undefined) =>
  executableFault(Buffer.from(`#!${interpreter}\n`), 'server', surroundingsOf(spec, around))

it('an interpreter that is there, but not for the game server', async () => {
  const interpreter = join(folder, 'interpreter')
  await writeFile(interpreter, '')
  await chmod(interpreter, 0o755)
  expect(await faultOf(interpreter, undefined)).toBeUndefined()
  expect(await faultOf(interpreter, sandbox())).toMatch(/is not there/)
  expect(await faultOf(interpreter, sandbox({ readOnlyPaths: [folder] }))).toBeUndefined()
  expect(await faultOf(interpreter, sandbox({ readOnlyPaths: [folder], hiddenPaths: [interpreter] }))).toMatch(
    /is not there/,
  )
})

it('an interpreter of the system, with and without a sandbox', async () => {
  expect(await faultOf('/bin/sh', undefined)).toBeUndefined()
  expect(await faultOf('/bin/sh', sandbox())).toBeUndefined()
})
