import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { play } from '@matchyard/example-demo'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServiceProcess } from '../src/service-process'

describe('the main job, over the public interface alone', () => {
  const directory = mkdtempSync(join(tmpdir(), 'matchyard-demo-'))
  let service: ServiceProcess
  beforeAll(async () => {
    service = await ServiceProcess.start(directory, 0)
  })
  afterAll(async () => {
    await service.end('SIGINT')
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  })

  it('matches two parties onto a real game server, lets them talk, and brings them back', {
    timeout: 60_000,
  }, async () => {
    const { steps } = await play(service.credentials)
    expect(steps.map(({ what }) => what).at(-1)).toBe('both lobbies are waiting again')
  })

  it('fills the seat of a player who leaves the running match', { timeout: 60_000 }, async () => {
    const { steps } = await play(service.credentials, undefined, { backfill: true })
    expect(steps.map(({ what }) => what)).toContain('dan has left the running match, and eve has taken the seat')
  })

  it('does so again, and twice at once', { timeout: 60_000 }, async () => {
    await Promise.all([
      play(service.credentials),
      new Promise((resolve) => setTimeout(resolve, 2)).then(() => play(service.credentials)),
    ])
  })
})
