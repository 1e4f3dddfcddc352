import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Arena, openArena } from '@matchyard/example-arena'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser, startBrowser } from '../src/browser'
import { skipWithout } from '../src/needs'
import { ServiceProcess } from '../src/service-process'

const PATIENCE = { timeout: 60_000 }
const LONG = { timeout: 180_000 }

let directory: string
let service: ServiceProcess
let arena: Arena
let browser: Browser
/** Exceptions and console errors of all pages; must stay empty. */
const wrong: string[] = []

const program = findBrowser()

beforeAll(async () => {
  if (program === undefined) return
  directory = mkdtempSync(join(tmpdir(), 'matchyard-arena-'))
  service = await ServiceProcess.start(directory, 0)
  // Each match takes two players, so a third player has no seat until one of them leaves.
  arena = await openArena(service.credentials, { seconds: 18, graceSeconds: 0.5, players: 2 })
  browser = await startBrowser(program)
})
afterAll(async () => {
  if (program === undefined) return
  await browser?.close()
  await arena?.close()
  await service?.end('SIGINT')
  await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

/** Opens the page in a browser context of its own, as another player. */
async function open(name: string, url = arena.url): Promise<Page> {
  // Without a graphics card the browser paints in software: a small window without motion costs least CPU.
  const page = await browser.newPage({ viewport: { width: 640, height: 400 }, reducedMotion: 'reduce' })
  page.on('pageerror', (error) => wrong.push(`${name}: ${error.stack}`))
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(`${name}: ${message.text()}`)
  })
  await page.goto(url)
  await page.fill('#name', name, PATIENCE)
  return page
}

const on = (page: Page, screen: string) => page.waitForSelector(`body[data-screen="${screen}"]`, PATIENCE)
const names = async (page: Page, list: string) => (await page.locator(`${list} li span`).allTextContents()).sort()

async function playing(page: Page): Promise<void> {
  await on(page, 'play')
  await page.locator('.timer', { hasText: /^\d:\d\d/ }).waitFor(PATIENCE)
}

describe('the arena, in real browsers', () => {
  it('is played to the end, though a player closes the window: a third takes the seat', LONG, async (context) => {
    if (program === undefined) skipWithout(context, 'a browser', 'no Chromium on the path')
    const ann = await open('Ann')
    await ann.click('#gather')
    // Bob joins the lobby through its link.
    const link = await ann.inputValue('#link', PATIENCE)
    const bob = await open('Bob', link)
    await bob.click('#join')
    await expect.poll(() => names(ann, '.players'), PATIENCE).toEqual(['Ann', 'Bob'])
    await ann.click('#start')
    for (const page of [ann, bob]) await page.click('#accept', PATIENCE)

    const eve = await open('Eve')
    await eve.click('#play')
    await playing(ann)
    await playing(bob)
    await ann.keyboard.down('d')
    await bob.context().close()
    await on(eve, 'play')
    await ann.keyboard.up('d')
    await ann.keyboard.press('Space')
    await expect.poll(() => names(ann, '.board'), PATIENCE).toEqual(['Ann', 'Eve'])
    await expect.poll(() => names(eve, '.board'), PATIENCE).toEqual(['Ann', 'Eve'])

    for (const page of [ann, eve]) {
      await on(page, 'results')
      expect(await page.locator('.results ol li').allTextContents()).toEqual(
        expect.arrayContaining([expect.stringContaining('Ann'), expect.stringContaining('Eve')]),
      )
    }
    // Ann and Eve play another match, made by the rematch button.
    for (const page of [ann, eve]) await page.click('#rematch:enabled', PATIENCE)
    for (const page of [ann, eve]) await page.click('#accept', PATIENCE)
    await playing(ann)
    for (const page of [ann, eve]) await page.context().close()
    expect(wrong).toEqual([])
  })

  it('is found again after a reload, and by another window, in the middle of a match', LONG, async (context) => {
    if (program === undefined) skipWithout(context, 'a browser', 'no Chromium on the path')
    const patient = await openArena(service.credentials, { graceSeconds: 30, players: 2 })
    try {
      const cat = await open('Cat', patient.url)
      const dan = await open('Dan', patient.url)
      for (const page of [cat, dan]) await page.click('#play')
      for (const page of [cat, dan]) await page.click('#accept', PATIENCE)
      await playing(cat)
      await dan.reload()
      await playing(dan)
      await expect.poll(() => names(dan, '.board'), PATIENCE).toEqual(['Cat', 'Dan'])

      expect(wrong).toEqual([])

      // Another window of the same player takes the match over, and the first window takes it back.
      const who = await dan.evaluate("sessionStorage.getItem('shardfall:who')")
      const again = await open('Dan', patient.url)
      await again.evaluate(`sessionStorage.setItem('shardfall:who', ${JSON.stringify(who)})`)
      await again.reload()
      await on(again, 'play')
      await on(dan, 'home')
      await dan.click('#play', PATIENCE)
      await dan.click('#resume', PATIENCE)
      await playing(dan)
      await expect.poll(() => names(dan, '.board'), PATIENCE).toEqual(['Cat', 'Dan'])
      // The browser logs the refusal PLAYER_IN_MATCH of the first window's search.
      expect(wrong.splice(0)).toEqual([expect.stringContaining('409')])
    } finally {
      await patient.close()
    }
  })
})
