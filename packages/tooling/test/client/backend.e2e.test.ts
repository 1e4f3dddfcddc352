import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createClient } from '@matchyard/client'
import { type AdminClient, type BuildProgress, createAdmin, verifyWebhook } from '@matchyard/client/admin'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blockOf } from '../../src/client-proof/readme'
import { type EmbeddedService, embeddedService } from '../../src/embedded-service'
import { archiveOf } from '../../src/engines/game-build'

const PACKAGE = fileURLToPath(new URL('../..', import.meta.url))
const TOP = blockOf(readFileSync(fileURLToPath(new URL('../../../client/README.md', import.meta.url)), 'utf8'), 'js')

const SECRET = `whsec_${Buffer.from('thirty-two characters of secret!').toString('base64')}`

describe('a webhook that is verified', () => {
  const body = JSON.stringify({ id: 'msg_1', type: 'match.ended', created_at: '', project_id: 'prj_1', data: { é: 1 } })
  const at = new Date()
  const headers = (secret = SECRET, signed = body) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, signed),
  })

  it('is the message, by headers in either form, from text and from bytes', async () => {
    const expected = JSON.parse(body) as unknown
    expect(await verifyWebhook(body, headers(), SECRET)).toEqual(expected)
    expect(await verifyWebhook(Buffer.from(body), new Headers(headers()), SECRET)).toEqual(expected)
  })

  it('is taken by either secret while one takes the place of the other', async () => {
    const other = `whsec_${Buffer.from('another secret, as long as it is').toString('base64')}`
    const both = {
      ...headers(),
      'webhook-signature': `${headers(other)['webhook-signature']} ${headers()['webhook-signature']}`,
    }
    await expect(verifyWebhook(body, both, SECRET)).resolves.toBeDefined()
  })

  it('is refused when it was changed, is old, is of another secret, or says nothing of itself', async () => {
    await expect(verifyWebhook(`${body} `, headers(), SECRET)).rejects.toThrow('signature')
    await expect(verifyWebhook(body, headers(), SECRET, at.getTime() + 301_000)).rejects.toThrow('five minutes')
    const other = `whsec_${btoa('another secret, as long as it is')}`
    await expect(verifyWebhook(body, headers(), other)).rejects.toThrow('signature')
    await expect(verifyWebhook(body, {}, SECRET)).rejects.toThrow('webhook-id is missing')
    const nonsense = { ...headers(), 'webhook-signature': 'v1,*** v2,abc' }
    await expect(verifyWebhook(body, nonsense, SECRET)).rejects.toThrow('signature')
  })

  // With such a secret as the key, anybody could sign.
  it.each(['', 'whsec_', 'whsec_***', `whsec_${btoa('fifteen bytes..')}`])(
    'is refused when its secret is %j',
    async (secret) => {
      await expect(verifyWebhook(body, headers(), secret)).rejects.toThrow('not the secret of a webhook')
    },
  )

  it('is taken with the shortest secret that there may be', async () => {
    const shortest = `whsec_${btoa('sixteen bytes...')}`
    await expect(verifyWebhook(body, headers(shortest), shortest)).resolves.toBeDefined()
  })
})

describe('what a studio does with a real service', () => {
  let service: EmbeddedService
  let admin: AdminClient
  beforeAll(async () => {
    service = await embeddedService()
    admin = createAdmin({ baseUrl: service.service.baseUrl, serverKey: service.serverKey })
  })
  afterAll(() => service.stop())

  it('is told how far an upload is, from nothing to all of it, and gets the build once it is ready', async () => {
    const zip = await archiveOf({ 'run.sh': '#!/bin/sh\n', 'assets.bin': randomBytes(1_000_000) })
    const told: BuildProgress[] = []
    const onProgress = (progress: BuildProgress) => told.push(progress)
    const build = await admin.builds.upload({ name: 'arena', executablePath: 'run.sh', zip, onProgress })
    expect(build).toMatchObject({ name: 'arena', version: 1, status: 'ready', executable_path: 'run.sh' })
    const sent = told.map((progress) => progress.sent)
    expect(sent).toEqual([...sent].sort((a, b) => a - b))
    expect(new Set(sent).size).toBeGreaterThan(3)
    expect([sent[0], sent.at(-1)]).toEqual([0, zip.byteLength])
    expect(new Set(told.map(({ total }) => total))).toEqual(new Set([zip.byteLength]))
    expect(await admin.builds.get(build.build_id)).toEqual(build)
  })

  it('is told why an archive is no build', async () => {
    const zip = new Blob([new Uint8Array(await archiveOf({ 'run.sh': '#!/bin/sh\n' }))])
    await expect(admin.builds.upload({ name: 'lobby', executablePath: 'start.sh', zip })).rejects.toMatchObject({
      code: 'BUILD_NOT_READY',
      detail: expect.stringContaining('start.sh'),
    })
  })

  it('sees the program at the top of the README run as it stands, but for the address and the key', async () => {
    const { clientKey, service: running } = service
    const { baseUrl } = running
    const server_settings = { source: 'external' } as const
    const matchmaking = { teams: 2, players_per_team: 1 }
    await admin.queues.create({ queue_id: 'arena', name: 'Arena', server_settings, matchmaking })
    const bob = createClient({ baseUrl, clientKey, player: 'bob' })
    const lobby = await bob.lobbies.create({ queueId: 'arena' })
    lobby.on('matched', ({ match_id: id }) => {
      void admin.matches.assign(id ?? '', { host: 'eu-3.example.com', ports: [{ name: 'game', port: 7777 }] })
    })
    const folder = mkdtempSync(join(PACKAGE, '.run-'))
    try {
      const program = join(folder, 'readme.mts')
      const code = TOP.replace('http://127.0.0.1:8080', baseUrl).replace('ck_live_…', clientKey)
      expect(code.split(baseUrl)).toHaveLength(2)
      expect(code.split(clientKey)).toHaveLength(2)
      // The documented program runs without end, so the test ends it after its last line.
      writeFileSync(program, `${code}\nprocess.exit()\n`)
      const args = ['--conditions=@matchyard/source', '--import', 'tsx', program]
      const running = promisify(execFile)(process.execPath, args, { cwd: folder })
      const [{ stdout }, match] = await Promise.all([running, lobby.findMatch()])
      expect(stdout).toMatch(/^ann plays in \S+ at eu-3\.example\.com:7777 \S+\n$/)
      expect(match.endpoint('game').port).toBe(7777)
    } finally {
      bob.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    }
  })
})

describe('the README of the client', () => {
  it('leads from nothing to an endpoint in twelve lines at the most', () => {
    const lines = TOP.trim().split('\n')
    expect(lines.filter((line) => line !== '').length).toBeLessThanOrEqual(12)
  })
})
