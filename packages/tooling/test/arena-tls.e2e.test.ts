import { createHash, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { openArena } from '@matchyard/example-arena'
import { writeCertificate } from '@matchyard/orchestrator/process/testing'
import { freePort } from '@matchyard/server/testing'
import type { Page, WebSocket } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../src/browser'
import { eventually } from '../src/eventually'
import { skipWithout } from '../src/needs'
import { ServiceProcess } from '../src/service-process'

const PATIENCE = { timeout: 60_000 }
const directory = mkdtempSync(join(tmpdir(), 'matchyard-arena-tls-'))
const undo: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const step of undo.reverse()) await step()
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

/** Returns the hash by which Chromium accepts a certificate that no authority signed. */
const spkiHash = (pem: string | Buffer): string =>
  createHash('sha256')
    .update(new X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64')

/** Returns the common name in the certificate that a new connection gets. */
async function certificateAt(port: number): Promise<string | undefined> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return subject.CN?.toString()
}

it('a game over wss:// goes on while the service restarts and its certificate is replaced', {
  timeout: 240_000,
}, async (context) => {
  const program = findBrowser()
  if (program === undefined) skipWithout(context, 'a browser', 'no Chromium on the path')
  const port = await freePort()
  let service = await ServiceProcess.start(directory, port)
  undo.push(() => service.end('SIGINT'))
  const folder = join(directory, 'certificate')
  const arena = await openArena(service.credentials, { seconds: 40, players: 2, readyCheck: false, tls: true })
  undo.push(() => arena.close())
  const hash = spkiHash(readFileSync(join(folder, 'cert.pem')))
  const browser = await startBrowser(program, [`--ignore-certificate-errors-spki-list=${hash}`])
  undo.push(() => browser.close())

  const sockets: WebSocket[] = []
  const open = async (name: string): Promise<Page> => {
    const page = await browser.newPage({ viewport: { width: 640, height: 400 }, reducedMotion: 'reduce' })
    page.on('websocket', (socket) => sockets.push(socket))
    await page.goto(arena.url)
    await page.fill('#name', name, PATIENCE)
    await page.click('#play')
    return page
  }
  const pages = [await open('Ann'), await open('Bob')]
  for (const page of pages) await page.waitForSelector('body[data-screen="play"]', PATIENCE)
  const boards = () => Promise.all(pages.map((page) => page.locator('.board li span').allTextContents()))
  await eventually(boards, (seen) => seen.every((names) => names.length === 2), 60_000)

  expect(await Promise.all(sockets.map((socket) => socket.url()))).toEqual([
    expect.stringMatching(/^wss:/),
    expect.stringMatching(/^wss:/),
  ])
  const gamePort = Number(new URL(sockets[0]?.url() ?? '').port)
  expect(await certificateAt(gamePort)).toBe('Matchyard dev')
  await service.end('SIGTERM')
  await writeCertificate(folder, 'the next certificate')
  await eventually(
    () => certificateAt(gamePort),
    (name) => name === 'the next certificate',
  )
  service = await ServiceProcess.start(directory, port)

  const timer = () => pages[0]?.locator('.timer').textContent()
  const shown = await timer()
  await eventually(timer, (now) => now !== shown)
  expect(sockets.map((socket) => socket.isClosed())).toEqual([false, false])
  for (const page of pages) await page.waitForSelector('body[data-screen="results"]', PATIENCE)
  expect(sockets).toHaveLength(2)
})
