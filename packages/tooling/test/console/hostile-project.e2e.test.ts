import { createAdmin } from '@matchyard/client/admin'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { PROGRAM, zipOf } from '../../src/console/archive'
import { type ConsoleWindow, PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'
import { eventually } from '../../src/eventually'

const tried = consoleUnderTest()
const LONG = { timeout: 300_000 }

const MARKUP = `<img src=x onerror="globalThis.ran=1"><script>globalThis.ran=2</script>`
const TURNED = '\u202egnp.exe\u202c \u2066\u061c\u200f\u0627\u0644\u0639\u0631\u0628\u064a\u0629'
const ENDLESS = 'W'.repeat(90)
const STACKED = `Z${'\u0323\u0300\u0301\u0302'.repeat(12)}`
/**
 * Names must not contain invisible characters or characters that change the text direction. Right-to-left letters are
 * allowed.
 */
const NAME = `"'>${MARKUP}\u0627\u0644\u0639\u0631\u0628\u064a\u0629`.slice(0, 120)
const PLAYERS = [MARKUP, TURNED, `javascript:globalThis.ran=3//${ENDLESS}`, `${STACKED}${ENDLESS}`.slice(0, 128)]
const DEEP = Array.from({ length: 13 }).reduce<unknown>((inner) => ({ [MARKUP.slice(0, 40)]: inner }), TURNED)
/** A state close to the limit of 16 KiB. */
const STATE = { [MARKUP]: MARKUP, [TURNED]: TURNED, long: 'x'.repeat(14_000), deep: DEEP, mmr: 1_500 }

const SERVER = `#!/usr/bin/env node
console.log(${JSON.stringify(MARKUP)})
console.log(${JSON.stringify(TURNED)})
console.log('y'.repeat(65_536))
console.error('\\u001b[31m\\u001b]8;;javascript:globalThis.ran=4\\u0007a link\\u0000\\u0007')
for (let n = 0; n < 2_000; n++) console.log(n + ' ' + ${JSON.stringify(MARKUP)})
setInterval(() => {}, 1_000)
`

/** Fills a project with values that try to harm the reader of each console view, and returns the paths of the views. */
async function hostileProject(): Promise<readonly string[]> {
  const { base_url: baseUrl, server_key: serverKey, email, password, project_id } = tried.service.credentials
  const login = await fetch(`${baseUrl}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { token } = (await login.json()) as { readonly token: string }
  const account = createAdmin({ baseUrl, session: token, projectId: project_id })
  const admin = createAdmin({ baseUrl, serverKey })
  await account.keys.mint(project_id, { type: 'client', name: NAME })
  await account.keys.mint(project_id, { type: 'server', name: ENDLESS + ENDLESS.slice(0, 30) })
  const jwks_url = `https://example.com/${encodeURIComponent(MARKUP)}`
  await account.projects.setPlayerAuth(project_id, {
    mode: 'trusted',
    issuers: [
      { issuer: MARKUP, generate_secret: true, player_claim: MARKUP },
      { issuer: ENDLESS, jwks_url },
    ],
  })
  const hook = await admin.webhooks.create({
    url: `https://example.com/${encodeURIComponent(MARKUP)}?${ENDLESS}${ENDLESS}`,
    types: ['match.ended'],
    description: `${MARKUP}${ENDLESS}`,
  })
  await admin.queues.create({
    queue_id: 'w'.repeat(64),
    name: NAME,
    max_players: 100,
    matchmaking: { teams: 2, players_per_team: 50, rules: [{ type: 'difference', field: MARKUP, max_difference: 1 }] },
  })
  const lobbyOf = async (name: string, player: string): Promise<string> => {
    const answer = await fetch(`${baseUrl}/v1/lobbies`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'api-key': serverKey,
        // HTTP headers are sent as latin1, so the UTF-8 bytes are written as latin1 characters.
        'x-player-id': Buffer.from(player).toString('latin1'),
      },
      body: JSON.stringify({ queue_id: 'w'.repeat(64), name, settings: STATE, state: STATE }),
    })
    const text = await answer.text()
    if (answer.status !== 201) throw new Error(text)
    return (JSON.parse(text) as { readonly lobby_id: string }).lobby_id
  }
  const [first = MARKUP, ...others] = PLAYERS
  const lobby = await lobbyOf(NAME, first)
  for (const player of others) await lobbyOf(player === TURNED ? NAME : player, player)
  const build = await admin.builds.upload({
    name: 'B'.repeat(64),
    executablePath: PROGRAM,
    zip: await zipOf({ [PROGRAM]: SERVER }),
  })
  // The error of a bad archive contains the names in the archive.
  const bad = MARKUP.replaceAll('/', '')
  await expect(
    admin.builds.upload({ name: 'bad', executablePath: bad, zip: await zipOf({ [PROGRAM]: '' }) }),
  ).rejects.toThrow()
  const server = await admin.servers.create({
    name: NAME,
    version_tag: build.name,
    readiness: 'uptime',
    custom_data: STATE,
    startup_args: `'${MARKUP.replaceAll("'", '')}'`,
  })
  await eventually(
    () => admin.servers.logs(server.instance_id),
    ({ logs }) => logs.length > 0,
    60_000,
  )
  const id = encodeURIComponent
  return [
    '/',
    '/problems',
    '/queues',
    `/queues/${'w'.repeat(64)}`,
    '/lobbies',
    `/lobbies/${lobby}`,
    `/lobbies?find=${id(MARKUP)}`,
    `/players/${id(MARKUP)}`,
    '/matches',
    '/servers',
    `/servers/${server.instance_id}`,
    '/playground',
    '/builds',
    `/builds/${build.name}`,
    '/builds/bad',
    `/builds/${id(MARKUP)}`,
    '/usage',
    '/settings',
    '/settings/players',
    '/settings/webhooks',
    `/settings/webhooks/${hook.webhook_id}`,
    `/${id(MARKUP)}/${id(TURNED)}`,
  ]
}

/** Script for the page: returns the harm that the view let happen, and the elements that are too wide. */
const FAULTS = `(() => {
  const faults = []
  if (globalThis.ran !== undefined) faults.push('something ran: ' + globalThis.ran)
  if (document.querySelector('img, iframe, object, embed, [onerror], [onclick], [onload]') !== null) faults.push('markup became elements')
  for (const link of document.querySelectorAll('a[href]')) {
    if (!/^(https?:|#|[.][.]\\/docs\\/[a-z-]+[.]html(#[a-z_-]+)?$)/.test(link.getAttribute('href'))) faults.push('a link leads to ' + link.getAttribute('href').slice(0, 60))
  }
  for (const place of [document.documentElement, ...document.querySelectorAll('.page, .page-head, .card, dialog')]) {
    const name = place.className || place.tagName
    // Content may reach up to 12 px into the padding of a card without being cut.
    const isCard = place.matches('.card')
    if (place.scrollWidth > place.clientWidth + (isCard ? 12 : 1) && (isCard || getComputedStyle(place).overflowX !== 'hidden')) {
      const edge = place.getBoundingClientRect().right
      const out = [...place.querySelectorAll('*')].find((inner) => inner.getBoundingClientRect().right > edge + 1)
      faults.push(name + ' is ' + (place.scrollWidth - place.clientWidth) + ' too wide: ' + (out?.outerHTML ?? '').slice(0, 160))
    }
    if (place.getBoundingClientRect().right > innerWidth + 1) faults.push(name + ' reaches past the edge')
  }
  return faults
})()`

async function look(page: Page): Promise<readonly string[]> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
  return (await page.evaluate(FAULTS)) as readonly string[]
}

it(
  'a hostile project is shown in every view: nothing runs, nothing overflows, nothing freezes',
  LONG,
  async (context) => {
    const windows: readonly (readonly [string, ConsoleWindow])[] = [
      ['wide', await tried.signedIn(context)],
      ['narrow', await tried.signedIn(context, { width: 390, height: 844, theme: 'dark' })],
    ]
    const paths = await hostileProject()
    const found: string[] = []
    for (const [size, window] of windows) {
      const { page } = window
      page.on('dialog', (dialog) => void dialog.dismiss().finally(() => found.push('a dialog was opened')))
      for (const path of paths) {
        await window.go(path)
        await page.locator('main h1, main h2').first().waitFor(PATIENCE)
        await page
          .locator('main .loading')
          .first()
          .waitFor({ ...PATIENCE, state: 'detached' })
        for (const fault of await look(page)) found.push(`${path.slice(0, 60)} ${size}: ${fault}`)
        const { HOSTILE_SHOTS: folder } = process.env
        if (folder !== undefined) await page.screenshot({ path: `${folder}/${size}-${paths.indexOf(path)}.png` })
      }
      found.push(...window.wrong)
      await window.close()
    }
    expect(found).toEqual([])
  },
)
