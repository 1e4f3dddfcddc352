import { createAdmin } from '@matchyard/client/admin'
import { play, replayedArrivals, scenarioOfQueue, spanOf } from '@matchyard/matchmaking/simulation'
import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

it('lets rules be edited, played on who came, applied and taken back, by clicking only', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { base_url: baseUrl, server_key: serverKey, client_key: clientKey } = tried.service.credentials
  const admin = createAdmin({ baseUrl, serverKey })
  const rule = (max_difference: number) => ({ type: 'difference', field: 'mmr', max_difference }) as const
  await admin.queues.create({
    queue_id: 'edited',
    name: 'Edited <img src=x onerror=alert(1)>',
    matchmaking: { rules: [rule(10)] },
  })
  const enter = async (player: string, mmr: number) => {
    const call = async (path: string, body: object) => {
      const headers = { 'api-key': clientKey, 'x-player-id': player, 'content-type': 'application/json' }
      const answer = await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await answer.json()) as { lobby_id: string }
    }
    const { lobby_id: id } = await call('/v1/lobbies', { queue_id: 'edited', state: { mmr } })
    await call(`/v1/lobbies/${id}/queue`, {})
  }
  for (let pair = 0; pair < 4; pair++) {
    await enter(`near_${pair}`, 1_000 * pair)
    await enter(`nearer_${pair}`, 1_000 * pair + 5)
  }
  for (const [index, mmr] of [20_000, 20_050].entries()) await enter(`far_${index}`, mmr)

  const { page } = window
  await window.go('/queues')
  await page.getByRole('row').filter({ hasText: 'edited' }).getByRole('link').click(PATIENCE)
  // The page must show exactly the shares that the engine computes from the same arrivals.
  const arrivals = []
  for await (const arrival of admin.queues.arrivals('edited')) arrivals.push(arrival)
  expect(arrivals).toHaveLength(10)
  const tickets = replayedArrivals(arrivals)
  const outcome = (max: number) =>
    play(scenarioOfQueue('x', { timeout: 300, matchmaking: { rules: [rule(max)] } }, spanOf(tickets)), tickets)
  const told = [await outcome(10), await outcome(100)].map(
    ({ unmatchedShare }) => `${(100 * (1 - unmatchedShare)).toFixed(2)} %`,
  )

  await page.getByLabel('max difference').fill('100')
  await page.getByRole('button', { name: 'Compare' }).click(PATIENCE)
  const row = page.getByRole('row', { name: 'Matched parties' })
  await row.waitFor(PATIENCE)
  expect(await row.getByRole('cell').allTextContents()).toEqual([...told, '+20.00 % better'])
  expect(told).toEqual(['80.00 %', '100.00 %'])
  expect(await window.faults()).toEqual([])

  // The replay treats a field that was not recorded as missing for all players, and the page says so.
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page
    .getByRole('region', { name: /Rule.2/ })
    .getByLabel('Player state field')
    .fill('rank')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText('rank was not recorded in the last hour').waitFor(PATIENCE)
  expect(await window.faults()).toEqual([])
  await page.getByRole('button', { name: 'Remove rule 2' }).click()

  // The page shows an error of the service as it is, also beside its field. The queue stays unchanged.
  await page.getByLabel('max difference').fill('-1')
  await page.getByRole('button', { name: 'Compare' }).click()
  const beside = page.locator('.field', { hasText: 'max difference' }).locator('.hint.wrong')
  await beside.getByText('must be a number of at least 0').waitFor(PATIENCE)
  await page.getByText('must be a number of at least 0').first().waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Apply…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor(PATIENCE)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await beside.waitFor(PATIENCE)
  expect((await admin.queues.get('edited')).matchmaking?.rules).toMatchObject([rule(10)])

  await page.getByLabel('max difference').fill('100')
  await page.getByRole('button', { name: 'Apply…' }).click()
  await page.getByRole('dialog').getByText('matchmaking.rules[0].max_difference').waitFor(PATIENCE)
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })
  expect((await admin.queues.get('edited')).matchmaking?.rules).toMatchObject([rule(100)])

  await page.getByRole('tab', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Restore this version' }).first().click(PATIENCE)
  await page.getByRole('dialog').getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByText('Version 3').waitFor(PATIENCE)
  expect((await admin.queues.get('edited')).matchmaking?.rules).toMatchObject([rule(10)])
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})

it('a queue without ports gets one by clicking, is disabled and deleted', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const { base_url: baseUrl, server_key: serverKey } = tried.service.credentials
  const admin = createAdmin({ baseUrl, serverKey })
  await admin.queues.create({ queue_id: 'bare', name: 'Bare', server_settings: { version_tag: 'nowhere', ttl: 60 } })
  const settings = async () => (await admin.queues.get('bare')).server_settings
  const apply = async () => {
    await page.getByRole('button', { name: 'Apply…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  }
  await window.go('/queues/bare?show=server')
  await page.getByText('Without a port the server gets no PORT_… environment variable').waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Add a port' }).click()
  await page.getByLabel('Port 1, number').fill('0')
  expect(await window.faults()).toEqual([])

  // The page shows an error of the service beside its field. The queue stays unchanged.
  await apply()
  await page.getByRole('dialog').getByRole('alert').waitFor(PATIENCE)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('group', { name: 'Ports' }).locator('.hint.wrong').waitFor(PATIENCE)
  await page.getByLabel('Port 1, number').fill('7777')
  await page.getByLabel('Ready when').selectOption('self')
  await apply()
  await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })
  expect(await settings()).toEqual({
    ...{ version_tag: 'nowhere', ttl: 60, readiness: 'self' },
    network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7_777, tls_enabled: false }],
  })

  await page.getByRole('tab', { name: 'Lobbies' }).click()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('button', { name: 'Disable queue' }).click()
  await page.getByRole('button', { name: 'Enable' }).waitFor(PATIENCE)
  expect((await admin.queues.get('bare')).enabled).toBe(false)
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete queue' }).click()
  await page.getByRole('heading', { level: 1, name: 'Queues' }).waitFor(PATIENCE)
  await expect(admin.queues.get('bare')).rejects.toMatchObject({ code: 'QUEUE_NOT_FOUND' })
  expect(window.wrong).toEqual([])
  await window.close()
})

it('takes nothing of what is being edited when somebody else changes the queue', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const { base_url: baseUrl, server_key: serverKey } = tried.service.credentials
  const admin = createAdmin({ baseUrl, serverKey })
  const rule = { type: 'difference', field: 'mmr', max_difference: 10 } as const
  await admin.queues.create({ queue_id: 'shared', name: 'Shared', matchmaking: { rules: [rule] } })
  await window.go('/queues/shared')
  const bound = page.getByLabel('max difference')
  await bound.fill('100', PATIENCE)
  await admin.queues.update('shared', { name: 'Named elsewhere' })
  await page.getByRole('heading', { name: 'Named elsewhere' }).waitFor(PATIENCE)
  expect(await bound.inputValue()).toBe('100')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await admin.queues.update('shared', { matchmaking: { rules: [{ ...rule, max_difference: 20 }] } })
  await expect.poll(() => bound.inputValue(), { timeout: PATIENCE.timeout }).toBe('20')
  await window.close()
})

it('keeps what is edited while the version that was just applied is read', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const { base_url: baseUrl, server_key: serverKey } = tried.service.credentials
  const rule = { type: 'difference', field: 'mmr', max_difference: 10 } as const
  await createAdmin({ baseUrl, serverKey }).queues.create({
    queue_id: 'typed',
    name: 'Typed',
    matchmaking: { rules: [rule] },
  })
  // Without the event stream, the page learns of the new version only by reading the queue. That read is held back
  // until the field has an unsaved edit.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let isApplied = false
  await page.route('**/v1/events?*', (route) => route.abort())
  await page.route('**/v1/queues/typed', async (route) => {
    if (route.request().method() === 'PATCH') isApplied = true
    else if (isApplied) await held
    await route.continue()
  })
  await window.go('/queues/typed')
  // A reload drops the stream opened at sign-in, which would report the change.
  await page.reload()
  const bound = page.getByLabel('max difference')
  await bound.fill('100', PATIENCE)
  await page.getByRole('button', { name: 'Apply…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })
  await bound.fill('200')
  const read = page.waitForResponse('**/v1/queues/typed', PATIENCE)
  release()
  await (await read).finished()
  // Effects of a page run one frame after it was drawn.
  const frame = 'new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))'
  for (let frames = 0; frames < 5; frames++) await page.evaluate(frame)
  await page.getByRole('button', { name: 'Apply…' }).click(PATIENCE)
  const change = page.getByRole('dialog')
  await change.getByText('matchmaking.rules[0].max_difference').waitFor(PATIENCE)
  await change.getByText('100', { exact: true }).waitFor(PATIENCE)
  await change.getByText('200', { exact: true }).waitFor(PATIENCE)
  await window.close()
})

it('gives teams roles by a form, and takes them away again', LONG, async (context) => {
  const window = await tried.signedIn(context)
  const { page } = window
  const { base_url: baseUrl, server_key: serverKey } = tried.service.credentials
  const admin = createAdmin({ baseUrl, serverKey })
  await admin.queues.create({ queue_id: 'raid', name: 'Raid', max_players: 10, matchmaking: { teams: 2 } })
  const apply = async () => {
    await page.getByRole('button', { name: 'Apply…' }).click(PATIENCE)
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })
    return (await admin.queues.get('raid')).matchmaking?.team_composition
  }
  await window.go('/queues/raid')
  await page.getByRole('button', { name: 'Use roles' }).click(PATIENCE)
  await page.getByLabel('Name of team 1').fill('red')
  // While two teams have the same name, no input is lost, and the change cannot be applied.
  await page.getByLabel('Name of team 2').fill('red')
  await page.getByText('have the same name').waitFor(PATIENCE)
  await page.getByLabel('Name of team 2').fill('blue')
  await page.getByRole('button', { name: 'Remove role 3 of team 2' }).click()
  await page.getByRole('button', { name: 'Add a role to team 2' }).click()
  await page.getByLabel('Name of role 3 of team 2', { exact: true }).fill('scout')
  await page.getByLabel('Players in role 3 of team 2', { exact: true }).fill('2')
  expect(await window.faults()).toEqual([])
  expect(await apply()).toEqual({
    red: { tank: 1, healer: 1, damage: 3 },
    blue: { tank: 1, healer: 1, scout: 2 },
  })

  await page.getByLabel('Players in role 1 of team 1').fill('0')
  await page.getByRole('tab', { name: 'Generated players' }).click()
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('region', { name: 'Match size' }).getByRole('alert').waitFor(PATIENCE)
  await page.getByRole('button', { name: 'Use no roles' }).click()
  expect(await apply()).toBeUndefined()
  expect(await window.faults()).toEqual([])
  expect(window.wrong).toEqual([])
  await window.close()
})
