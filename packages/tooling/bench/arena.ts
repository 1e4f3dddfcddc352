// Measures how smoothly the arena is drawn with eight players: one player in a real browser, whose frames are timed,
// and seven bots in this process.
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@matchyard/client'
import { openArena } from '@matchyard/example-arena'
import { WebSocket } from 'ws'
import { findBrowser, startBrowser } from '../src/browser'
import { ServiceProcess } from '../src/service-process'

const SECONDS = 30
const TICK_MS = 1_000 / 30
const SIZE = { width: 1_280, height: 720 }

/** Script for the page: the milliseconds between frames, for most of a match. */
const TIMES = `new Promise((resolve) => {
  const times = []
  let before = performance.now()
  const until = before + ${(SECONDS - 8) * 1_000}
  const frame = (now) => {
    times.push(now - before)
    before = now
    if (now < until) requestAnimationFrame(frame)
    else resolve(times.slice(1))
  }
  requestAnimationFrame(frame)
})`

const program = findBrowser()
if (program === undefined) throw new Error('there is no Chromium on the path')
const directory = mkdtempSync(join(tmpdir(), 'matchyard-arena-'))
const service = await ServiceProcess.start(directory, 0)
const arena = await openArena(service.credentials, { seconds: SECONDS, readyCheck: false })
const browser = await startBrowser(program)
try {
  const page = await browser.newPage({ viewport: SIZE })
  await page.goto(arena.url)
  const bots = Array.from({ length: 7 }, (_, index) => bot(`bot ${index + 1}`))
  await page.click('#play')
  await page.locator('.timer', { hasText: /^\d:\d\d/ }).waitFor({ timeout: 60_000 })
  const steering = steer()
  const before = cpuMs()
  const intervals = (await page.evaluate(TIMES)) as number[]
  const spentMs = cpuMs() - before
  const pixels = (await page.evaluate('[arena.width, arena.height].join(" x ")')) as string
  clearInterval(steering)
  report(intervals, spentMs, pixels, await page.locator('.board li').count())
  await Promise.all(bots.map(async (one) => (await one).close()))

  function steer() {
    const keys = ['w', 'a', 's', 'd', 'Space'] as const
    return setInterval(
      () =>
        void page.keyboard.press(keys[Math.floor(Math.random() * keys.length)] ?? 'w', { delay: 250 }).catch(() => {}),
      300,
    )
  }
} finally {
  await browser.close()
  await arena.close()
  await service.end('SIGINT')
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}

/** Starts a bot that moves around and dashes now and then. */
async function bot(player: string): Promise<WebSocket> {
  const { base_url: baseUrl, client_key: clientKey } = service.credentials
  const client = createClient({ baseUrl, clientKey, player })
  const match = await client.play(arena.queueId, { state: { name: player } })
  const { host, port, joinToken } = match.endpoint('game')
  const socket = new WebSocket(`ws://${host}:${port}`)
  let seq = 0
  let [x, y] = [1, 0]
  socket.on('open', () => {
    socket.send(JSON.stringify({ type: 'join', token: joinToken }))
    const playing = setInterval(() => {
      if (seq % 20 === 0) [x, y] = [Math.random() * 2 - 1, Math.random() * 2 - 1]
      seq += 1
      socket.send(JSON.stringify({ type: 'input', seq, x, y, dash: Math.random() < 0.03 }))
    }, TICK_MS)
    socket.on('close', () => clearInterval(playing))
  })
  socket.on('close', () => client.close())
  socket.on('error', () => {})
  return socket
}

/**
 * Returns the CPU milliseconds that the Chromium processes below this process have used so far (Linux only). On a busy
 * machine CPU time says more than frame times.
 */
function cpuMs(): number {
  const all = new Map<number, { parent: number; ms: number; isBrowser: boolean }>()
  for (const name of readdirSync('/proc').filter((one) => /^\d+$/.test(one))) {
    try {
      const [, pid, command, rest] = /^(\d+) \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? []
      const fields = (rest ?? '').split(' ')
      const ticks = Number(fields[11]) + Number(fields[12])
      all.set(Number(pid), {
        parent: Number(fields[1]),
        ms: ticks * 10,
        isBrowser: command?.startsWith('chrom') ?? false,
      })
    } catch {} // the process has ended meanwhile
  }
  const isOurs = (pid: number): boolean => pid === process.pid || (all.has(pid) && isOurs(all.get(pid)?.parent ?? 0))
  return [...all].reduce((sum, [pid, { ms, isBrowser }]) => sum + (isBrowser && isOurs(pid) ? ms : 0), 0)
}

function report(intervals: readonly number[], spentMs: number, pixels: string, players: number): void {
  const sorted = [...intervals].sort((a, b) => a - b)
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1)
  const whole = intervals.reduce((sum, one) => sum + one, 0)
  const late = intervals.filter((one) => one > 25).length
  console.log(
    `  ${players} players, a page of ${SIZE.width} x ${SIZE.height}, painted with ${pixels} pixels without a graphics card`,
  )
  console.log(
    `  ${((intervals.length * 1_000) / whole).toFixed(1)} pictures a second over ${(whole / 1_000).toFixed(0)} s`,
  )
  console.log(
    `  from one to the next: half within ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, 99 of 100 within ${at(0.99)} ms; ${((100 * late) / intervals.length).toFixed(1)} % late`,
  )
  console.log(
    `  ${(spentMs / intervals.length).toFixed(1)} ms of a core for each picture, all of the browser's processes together`,
  )
  console.log(`  ${cpus().length} cores of ${cpus()[0]?.model ?? '?'}, load ${loadavg()[0]?.toFixed(1)}`)
}
