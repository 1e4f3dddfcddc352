import { createAdmin } from '@matchyard/client/admin'
import type { Locator } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import { PROGRAM, zipOf } from '../../src/console/archive'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'
import { type Crowd, startCrowd } from '../../src/console/crowd'
import { eventually } from '../../src/eventually'

const tried = consoleUnderTest()
const LONG = { timeout: 300_000 }
/** Number of players who search all the time; `npm run prove -- incident` has 200. */
const PLAYERS = Number(process.env.MATCHYARD_PLAYERS ?? 16)

const GOOD = '#!/bin/sh\necho "map ferry loaded"\nsleep 4\necho "match over"\n'
const FAULT = 'FATAL: map dust2: texture 17 is missing'
const CRASHING = `#!/bin/sh\necho "map dust2 loading"\nsleep 4\necho "${FAULT}" >&2\nkill -SEGV $$\n`

let crowd: Crowd | undefined
afterEach(() => crowd?.stop())

const admin = () => {
  const { base_url: baseUrl, server_key: serverKey } = tried.service.credentials
  return createAdmin({ baseUrl, serverKey })
}

async function upload(script: string): Promise<void> {
  const { builds } = admin()
  const zip = Buffer.from(await zipOf({ [PROGRAM]: script }))
  const { build_id: id } = await builds.upload({ name: 'arena', executablePath: PROGRAM, zip })
  await eventually(
    () => builds.get(id),
    ({ status }) => status === 'ready',
  )
}

/** Returns the newest ended matches of the queue. */
async function ended() {
  const found = []
  for await (const match of admin().matches.list({ status: 'ended' })) {
    found.push(match)
    if (found.length === 50) break
  }
  return found
}

/** Counts clicks, and the seconds since the first one was possible. */
class Clicks {
  private readonly startedAt = performance.now()
  private count = 0

  async on(what: Locator): Promise<void> {
    this.count++
    await what.click(PATIENCE)
  }

  /** Prints the clicks and seconds so far, and returns the clicks. */
  until(what: string): number {
    console.log(`${what}: ${this.count} clicks, ${((performance.now() - this.startedAt) / 1_000).toFixed(1)} s`)
    return this.count
  }
}

it(
  'a new build crashes: its cause is found, and the version before runs again; a player complained',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    await upload(GOOD)
    const server_settings = { version_tag: 'arena', ttl: 120 }
    const matchmaking = { teams: 2, players_per_team: 1 }
    await admin().queues.create({ queue_id: 'ranked', name: 'Ranked', matchmaking, server_settings })
    crowd = startCrowd(tried.service.credentials, 'ranked', PLAYERS)
    await eventually(ended, (matches) => matches.length >= 4, 120_000)
    await upload(CRASHING)
    const crashes = async () => (await ended()).filter(({ end_reason }) => end_reason === 'server_failed')
    await eventually(crashes, (matches) => matches.length >= 5, 120_000)
    await eventually(
      async () => (await admin().problems.list()).find(({ code }) => code === 'servers_crashed'),
      (problem) => problem?.severity === 'error',
      60_000,
    )

    // From the alert to its cause: the build, its version, and the line of the log.
    await window.go('/problems')
    const alert = new Clicks()
    const problem = page.getByRole('listitem').filter({ hasText: /arena v2 crashed/ })
    await problem.getByText('was ended by SIGSEGV').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    await alert.on(problem.getByRole('link', { name: 'Open the log' }))
    await page.getByText(FAULT).first().waitFor(PATIENCE)
    await alert.on(page.getByRole('link', { name: /^arena.*2/ }).first())
    await page.getByRole('row', { name: /v2/ }).first().waitFor(PATIENCE)
    expect(alert.until('from the alert to the cause')).toBeLessThanOrEqual(5)
    expect(await window.faults()).toEqual([])

    const back = new Clicks()
    await back.on(page.getByRole('row', { name: /v1/ }).getByRole('button', { name: 'Roll back to v1' }))
    await back.on(page.getByRole('dialog').getByRole('button', { name: 'Roll back to version 1' }))
    await page.getByText('Ranked is pinned to version 1').waitFor(PATIENCE)
    expect(back.until('to the version before')).toBe(2)
    const { server_settings: now } = await admin().queues.get('ranked')
    expect(now).toMatchObject({ version_tag: 'arena', version: 1 })

    // A player complains: "I was disconnected". From the player to the match, the server, its log and the reason.
    const [lost] = await crashes()
    const complaint = lost?.teams[0]?.players[0]?.player_id ?? ''
    await window.go('/now')
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor(PATIENCE)
    const asked = new Clicks()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill(complaint)
    await asked.on(page.getByRole('option', { name: complaint }).first())
    await page.getByRole('heading', { level: 1, name: complaint }).waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    await asked.on(
      page
        .getByRole('row')
        .filter({ hasText: (lost?.match_id ?? '').slice(-6) })
        .first(),
    )
    await page
      .getByText(/SIGSEGV/)
      .first()
      .waitFor(PATIENCE)
    await asked.on(page.locator('a[href*="/servers/"]').first())
    await page.getByText(FAULT).first().waitFor(PATIENCE)
    expect(asked.until('from the complaint to the log')).toBeLessThanOrEqual(4)
    expect(window.wrong).toEqual([])
    await window.close()
  },
)
