import { createAdmin } from '@matchyard/client/admin'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { PROGRAM, zipOf } from '../../src/console/archive'
import { type ConsoleWindow, PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'
import { eventually } from '../../src/eventually'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

const admin = () => {
  const { base_url: baseUrl, server_key: serverKey } = tried.service.credentials
  return createAdmin({ baseUrl, serverKey })
}

/** Returns the error beside a field of the open dialog. */
const beside = (page: Page, label: string) =>
  page.getByRole('dialog').locator('.field', { hasText: label }).locator('.hint.wrong')

it('an image is registered as a build; what is no image is told beside its field', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await window.go('/builds')
  await page.getByRole('button', { name: 'Register an image' }).click(PATIENCE)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('from-image')
  await dialog.getByLabel('Image').fill('not an image at all')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await beside(page, 'Image').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await dialog.getByLabel('Image').fill('registry.invalid/studio/server:1.2')
  await dialog.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('heading', { level: 1, name: 'from-image' }).waitFor(PATIENCE)
  await page.getByText('registry.invalid/studio/server:1.2').first().waitFor(PATIENCE)
  const registered = async () => {
    for await (const build of admin().builds.list({ name: 'from-image' })) return build
    return undefined
  }
  expect(await registered()).toMatchObject({ build_type: 'docker_image', version: 1 })
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})

it('a queue goes back to the version before, and to the newest again; a version is disabled', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const zip = Buffer.from(await zipOf({ [PROGRAM]: '#!/bin/sh\n' }))
  for (const _ of [1, 2]) await admin().builds.upload({ name: 'pinned', executablePath: PROGRAM, zip })
  for (const [queue_id, name] of [
    ['pinned', 'Pinned'],
    ['newest', 'Newest'],
  ] as const)
    await admin().queues.create({ queue_id, name, server_settings: { version_tag: 'pinned', ttl: 60 } })
  const settings = async (id: string) => (await admin().queues.get(id)).server_settings
  await window.go('/builds/pinned')
  await page.getByRole('row', { name: /v1/ }).getByRole('button', { name: 'Roll back to v1' }).click(PATIENCE)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Newest').uncheck(PATIENCE)
  expect(await window.faults()).toEqual([])
  await dialog.getByRole('button', { name: 'Roll back to version 1' }).click()
  await page.getByText('Pinned is pinned to version 1').waitFor(PATIENCE)
  expect(await settings('pinned')).toEqual({ version_tag: 'pinned', version: 1, ttl: 60 })
  expect(await settings('newest')).toEqual({ version_tag: 'pinned', ttl: 60 })
  await page.getByRole('row', { name: /v1 Current/ }).waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Use the newest version' }).click()
  await dialog.getByRole('button', { name: 'Use the newest version' }).click(PATIENCE)
  await page.getByText('Pinned is pinned to version 1').waitFor({ ...PATIENCE, state: 'detached' })
  expect(await settings('pinned')).toEqual({ version_tag: 'pinned', ttl: 60 })
  await page.getByRole('row', { name: /v2/ }).getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click(PATIENCE)
  await page.getByRole('row', { name: /v2/ }).getByText('Disabled').waitFor(PATIENCE)
  await page.getByRole('row', { name: /v2/ }).getByRole('button', { name: 'Enable' }).waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})

it(
  'a version is drained, its servers are stopped, and servers are found by the cause of their end',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    const zip = Buffer.from(await zipOf({ [PROGRAM]: '#!/bin/sh\necho "ready to play"\nexec sleep 600\n' }))
    const { build_id: id } = await admin().builds.upload({ name: 'emptied', executablePath: PROGRAM, zip })
    const launch = async () => (await admin().servers.create({ version_tag: 'emptied' })).instance_id
    const isOf = (status: string) => async (instanceId: string) =>
      eventually(
        () => admin().servers.get(instanceId),
        (server) => server.status === status,
        60_000,
      )
    const first = await launch()
    await isOf('running')(first)
    await window.go('/builds/emptied')
    await page.getByText(/^key /).first().waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Stop all servers' }).click(PATIENCE)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 server stops now, and 0 matches end').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    await dialog.getByRole('button', { name: 'Stop 1 server' }).click()
    await isOf('stopped')(first)
    const second = await launch()
    await isOf('running')(second)
    await page.getByRole('button', { name: 'Drain', exact: true }).click(PATIENCE)
    await dialog.getByRole('button', { name: 'Drain' }).click(PATIENCE)
    await isOf('stopped')(second)
    await page.getByRole('row', { name: /v1/ }).getByText('Drained').waitFor(PATIENCE)
    await page.getByRole('row', { name: /v1/ }).getByRole('button', { name: 'Enable' }).click()
    await dialog.getByRole('button', { name: 'Enable' }).click(PATIENCE)
    await page.getByRole('row', { name: /v1/ }).getByText('Ready').waitFor(PATIENCE)
    expect(await admin().builds.get(id)).toMatchObject({ disabled: false, draining_since: null })
    await window.go('/servers?show=past&reason=server_stopped&build=emptied%401')
    await page
      .getByRole('row', { name: /Stopped/ })
      .nth(1)
      .waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    await page.getByLabel('Cause of the end').selectOption('server_failed')
    await page.getByText('No server fits this filter').waitFor(PATIENCE)
    await window.go(`/servers/${second}`)
    await page.getByRole('link', { name: 'Log at the end' }).click(PATIENCE)
    await page.locator('.log-line.marked').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    expect(window.wrong).toEqual([])
    await window.close()
  },
)

it('a launch that failed stays in the playground, with its reason and a link to its server', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await admin().queues.create({
    ...{ queue_id: 'lost', name: 'Lost', server_settings: { version_tag: 'nowhere' } },
    matchmaking: { teams: 2, players_per_team: 1 },
  })
  await window.go('/playground')
  await page.getByLabel('Queue', { exact: true }).selectOption('lost', PATIENCE)
  await page.getByRole('button', { name: 'Play a test match' }).click()
  const match = page.getByRole('region', { name: 'The last match' })
  await match.getByText('no build named nowhere').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await match.getByRole('link', { name: /^srv_/ }).click()
  await page.getByText('no build named nowhere').first().waitFor(PATIENCE)
  expect(new URL(page.url()).hash).toMatch(/\/servers\/srv_\w+$/)
  expect(window.wrong).toEqual([])
  await window.close()
})

it('an upload is cancelled while it goes on, and nothing of it stays', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  let comes: () => void = () => {}
  const came = new Promise<void>((resolve) => {
    comes = resolve
  })
  // The request never completes, so the upload is certainly in progress when it is cancelled.
  await page.route('**/v1/uploads/**', (route) => (route.request().method() === 'PUT' ? comes() : route.continue()))
  await window.go('/builds')
  await page
    .getByLabel('Archive')
    .setInputFiles({ name: 'slow.zip', mimeType: 'application/zip', buffer: Buffer.alloc(100_000) }, PATIENCE)
  await page.getByLabel('Program').fill('server')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  const list = page.getByRole('list', { name: 'Uploads' })
  await list.getByText('slow v1').waitFor(PATIENCE)
  await came
  expect(await window.faults()).toEqual([])
  await list.getByRole('button', { name: 'Cancel' }).click()
  await list.waitFor({ ...PATIENCE, state: 'detached' })
  await eventually(
    async () => {
      const all: unknown[] = []
      for await (const build of admin().builds.list({ name: 'slow' })) all.push(build)
      return all.length
    },
    (count) => count === 0,
  )
  await page.getByText('No build with this name').waitFor(PATIENCE)
  expect(window.wrong).toEqual([])
  await window.close()
})

/** Plays a match with players simulated by the page, and ends it. */
async function playsThere({ page }: ConsoleWindow): Promise<void> {
  await page.getByRole('button', { name: 'Play a test match' }).click(PATIENCE)
  await page.getByText('Running', { exact: true }).first().waitFor(PATIENCE)
  await page.getByRole('button', { name: 'End match' }).click(PATIENCE)
  await page.getByRole('button', { name: 'End the match' }).click(PATIENCE)
  await page.getByText('The match has ended.').waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Remove all players' }).click()
}

it(
  'players are asked for proof by an issuer that is added by clicking, and the playground goes on',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    await window.go('/settings/players')
    await page.getByRole('button', { name: 'Add an issuer' }).click(PATIENCE)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Issuer').fill('https://studio.example')
    await dialog.getByLabel('Signature keys').selectOption('url')
    await dialog.getByLabel('URL of the key set').fill('no address')
    await dialog.getByRole('button', { name: 'Add issuer' }).click()
    await beside(page, 'URL of the key set').waitFor(PATIENCE)
    expect(await window.faults()).toEqual([])
    await dialog.getByLabel('Signature keys').selectOption('set')
    await dialog.getByLabel('Key set').fill('{')
    await dialog.getByRole('button', { name: 'Add issuer' }).click()
    await beside(page, 'Key set').getByText('The key set is not valid JSON').waitFor(PATIENCE)
    await dialog.getByLabel('Signature keys').selectOption('secret')
    await dialog.getByRole('button', { name: 'Add issuer' }).click()
    expect(await page.locator('.secret code').textContent(PATIENCE)).toMatch(/^[\w-]{43}$/)
    await page.getByRole('button', { name: 'I have stored the secret' }).click()
    await page.getByText('a generated secret').waitFor(PATIENCE)

    await page.getByRole('button', { name: 'Require player tokens' }).click()
    await dialog.getByRole('button', { name: 'Require player tokens' }).click()
    await page.getByText('Player tokens required').waitFor(PATIENCE)
    await window.go('/playground')
    await page.getByText('This project requires player tokens.').waitFor(PATIENCE)
    await playsThere(window)
    expect(await window.faults()).toEqual([])

    await page.getByRole('link', { name: 'Player identity' }).click()
    await page.getByRole('button', { name: 'Trust player ids' }).click(PATIENCE)
    await dialog.getByRole('button', { name: 'Trust player ids' }).click()
    await page.getByText('Player ids trusted', { exact: true }).waitFor(PATIENCE)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove issuer' }).click()
    await page.getByText('No issuers yet.').waitFor(PATIENCE)
    expect(window.wrong).toEqual([])
    await window.close()
  },
)

it('what harms players is offered where things are tried, and nowhere else', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  await window.go('/playground')
  await page.getByRole('button', { name: 'Add a player' }).click(PATIENCE)
  await page.getByRole('button', { name: 'Close all event streams' }).waitFor(PATIENCE)
  await page.getByLabel(/Slow network/).waitFor(PATIENCE)
  await window.close()

  const other = await tried.open(context)
  const { base_url } = tried.service.credentials
  // A service run by `serve` gives this answer.
  await other.page.route(`${base_url}/`, (route) =>
    route.fulfill({ json: { name: 'matchyard', sign_in_codes: false } }),
  )
  await other.signIn()
  await other.go('/playground')
  await other.page.getByRole('button', { name: 'Play a test match' }).click(PATIENCE)
  await other.page.getByRole('button', { name: 'End match' }).waitFor(PATIENCE)
  expect(await other.page.getByRole('button', { name: 'Close all event streams' }).count()).toBe(0)
  expect(await other.page.getByLabel(/Slow network/).count()).toBe(0)
  expect(await other.page.getByRole('button', { name: 'Stop the server' }).count()).toBe(0)
  expect(other.wrong).toEqual([])
  await other.close()
})
