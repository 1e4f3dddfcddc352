// `npm run pictures [folder]`: takes the pictures of the README from a real service (needs a build and a Chromium).
// They show the console with a running match, and a match of the example game in two windows, from the click on Play.
import { mkdirSync, mkdtempSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openArena } from '@matchyard/example-arena'
import type { Browser, Page } from 'playwright-core'
import { findBrowser, startBrowser } from '../browser'
import { ServiceProcess } from '../service-process'
import { Film } from './film'

const PATIENCE = { timeout: 60_000 }
const WINDOW = { width: 460, height: 345 }
const FILM_SECONDS = 10
const FRAME_MS = 125

async function takeConsole(browser: Browser, link: string, folder: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('link', { name: 'Playground' }).first().click(PATIENCE)
  await page.getByRole('button', { name: 'Play a test match' }).click(PATIENCE)
  await page.getByRole('log', { name: 'Server log' }).getByText(/./).first().waitFor(PATIENCE)
  await page.getByText('Running', { exact: true }).first().waitFor(PATIENCE)
  await page.screenshot({ path: join(folder, 'console.png') })
  await context.close()
}

async function player(browser: Browser, url: string, name: string): Promise<Page> {
  const page = await browser.newPage({ viewport: WINDOW })
  await page.goto(url)
  await page.fill('#name', name, PATIENCE)
  return page
}

/** Presses one key after another and holds each key for 400 ms, as a player would do. */
async function steer(page: Page, keys: readonly string[], isOver: () => boolean): Promise<void> {
  for (let turn = 0; !isOver(); turn++) await page.keyboard.press(keys[turn % keys.length] ?? 'w', { delay: 400 })
}

async function takeMatch(browser: Browser, url: string, folder: string): Promise<number> {
  const pages = [await player(browser, url, 'Ann'), await player(browser, url, 'Bob')] as const
  const film = new Film()
  const shoot = async () => film.add(await Promise.all(pages.map((page) => page.screenshot())))
  const isOver = () => film.seconds >= FILM_SECONDS
  const play = async (page: Page, keys: readonly string[]) => {
    await page.click('#play')
    await page.waitForSelector('body[data-screen="play"]', PATIENCE)
    await steer(page, keys, isOver)
  }
  await shoot()
  const played = Promise.all([play(pages[0], ['d', 's', 'd', 'w', 'Space']), play(pages[1], ['a', 'w', 'a', 's'])])
  while (!isOver()) {
    const next = performance.now() + FRAME_MS
    await shoot()
    await new Promise((due) => setTimeout(due, Math.max(0, next - performance.now())))
  }
  await played
  film.write(join(folder, 'match.gif'), 1_500)
  for (const page of pages) await page.close()
  return film.seconds
}

const folder = resolve(process.argv[2] ?? 'docs/pictures')
const program = findBrowser()
if (program === undefined) throw new Error('there is no browser: install the package chromium')
mkdirSync(folder, { recursive: true })
const data = mkdtempSync(join(tmpdir(), 'matchyard-pictures-'))
const service = await ServiceProcess.start(data, 0)
const browser = await startBrowser(program)
try {
  await takeConsole(browser, service.consoleLink, folder)
  // The queue of the example is created only now, because the pictures of the console must show the queue that `dev`
  // creates at its start.
  const arena = await openArena(service.credentials, { readyCheck: false, players: 2 })
  const seconds = await takeMatch(browser, arena.url, folder).finally(() => arena.close())
  const size = (file: string) => `${Math.round(statSync(join(folder, file)).size / 1_000)} kB`
  process.stdout.write(
    `${folder}: console.png ${size('console.png')}, match.gif ${size('match.gif')}, ${seconds.toFixed(1)} s\n`,
  )
} finally {
  await browser.close()
  await service.end('SIGINT')
  await rm(data, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
}
