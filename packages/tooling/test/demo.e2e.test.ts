import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { play } from '@matchyard/example-demo'
import { packGameServer } from '@matchyard/example-game-server'
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

  it('asks the players first, where the queue wants them asked', { timeout: 60_000 }, async () => {
    const { steps } = await play(service.credentials, undefined, { readyCheck: true })
    expect(steps.map(({ what }) => what)).toContain('a match was proposed, and all four have accepted')
  })

  it('fills the seat of a player who leaves the running match', { timeout: 60_000 }, async () => {
    const { steps } = await play(service.credentials, undefined, { backfill: true })
    expect(steps.map(({ what }) => what)).toContain('dan has left the running match, and eve has taken the seat')
  })

  it('comes to an end where no game server can start, and lets go of its event streams', {
    timeout: 60_000,
  }, async () => {
    const folder = join(directory, 'broken-game')
    mkdirSync(folder)
    writeFileSync(join(folder, 'server.mjs'), '#!/usr/bin/env node\nprocess.exit(1)\n')
    const broken = play(service.credentials, undefined, { archive: await packGameServer(folder) })
    await expect(broken).rejects.toThrow(/the match came to nothing \(launch_failed\)/)
    const streams = async () => {
      const page = await (await fetch(new URL('/metrics', service.credentials.base_url))).text()
      return /^matchyard_event_streams (\d+)$/m.exec(page)?.[1]
    }
    await expect.poll(streams).toBe('0')
  })

  it('comes to an end with the service', { timeout: 60_000 }, async () => {
    const folder = join(directory, 'another')
    const other = await ServiceProcess.start(folder, 0)
    const cut = play(other.credentials, ({ what }) => {
      if (what === 'all four follow their lobbies') void other.end('SIGINT')
    })
    await expect(cut).rejects.toThrow()
    await other.end('SIGINT')
  })

  it('does so again, and twice at once', { timeout: 60_000 }, async () => {
    await Promise.all([
      play(service.credentials),
      new Promise((resolve) => setTimeout(resolve, 2)).then(() => play(service.credentials)),
    ])
  })
})
