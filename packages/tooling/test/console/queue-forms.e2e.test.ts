import { readFileSync } from 'node:fs'
import { createAdmin } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

it(
  'every setting of a queue is set in forms, and a file carries all of them to another queue',
  LONG,
  async (context) => {
    const window = await tried.signedIn(context)
    const { page } = window
    const { base_url: baseUrl, server_key: serverKey } = tried.service.credentials
    const admin = createAdmin({ baseUrl, serverKey })
    await admin.ratings.set('ladder', { name: 'Ladder' })
    await admin.queues.create({ queue_id: 'plain', name: 'Plain', matchmaking: { teams: 2, players_per_team: 2 } })
    const fill = (fields: Readonly<Record<string, string>>) =>
      Object.entries(fields).reduce(async (before, [label, value]) => {
        await before
        await page.getByLabel(label, { exact: true }).fill(value, PATIENCE)
      }, Promise.resolve())
    await window.go('/queues/plain')
    await page.getByLabel('Rating of the queue').selectOption('ladder', PATIENCE)
    await fill({ 'Min players per team': '1', 'Players in a party': '2' })
    await page.getByLabel('Match only players with the same game_version').check()
    await fill({ 'Versions that may search': '1.0, 1.1,' })

    await page.getByRole('tab', { name: 'Lobbies' }).click()
    await fill({
      ...{ 'Name of the queue': 'Ladder', 'Players in a lobby': '4', 'Idle lobby ends after (s)': '1800' },
      ...{ Length: '8', Prefix: 'EU', 'Search ends after (s)': '120', 'Penalty for leavers (s)': '60' },
      ...{ 'Ends after (s)': '', 'Not matched after (s)': '20', 'Fields that clients may not write': 'rank, level' },
      'A request ends after (s)': '90',
    })
    await page.getByLabel('When the host leaves').selectOption('delete')
    await page.getByLabel('Remove players who are silent').check()
    await fill({ 'Removed after (s)': '45', 'In a match after (s)': '0' })
    await page.getByLabel('Ask the players of each match').check()
    await fill({ 'Time to answer (s)': '15' })
    await page.getByLabel('Backfill:').check()
    expect(await window.faults()).toEqual([])

    await page.getByRole('tab', { name: 'Game server' }).click()
    await page.getByLabel('Default region').selectOption('fra')
    await page.getByLabel('Size', { exact: true }).selectOption('2x-4g')
    await fill({ 'Runs for at most (s)': '3600', 'Time to stop (s)': '30' })
    await page.getByLabel('Start servers before their match').check()
    await fill({ 'Waiting servers': '2' })
    await page.getByRole('button', { name: 'Add a variable' }).click()
    await page.getByLabel('Variable 1, name').fill('LOG_LEVEL')
    await page.getByLabel('Variable 1, value').fill('debug')
    await page.getByLabel('Data for the program').fill('{"map": "dust"}')
    await page.getByRole('button', { name: 'Add a port' }).click()
    expect(await window.faults()).toEqual([])
    await page.getByRole('button', { name: 'Apply…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })

    const settings = {
      ...{
        name: 'Ladder',
        max_players: 4,
        lobby_ttl: 1_800,
        host_leave_behavior: 'delete',
        timeout: 120,
        rating: 'ladder',
      },
      ...{
        heartbeat: true,
        heartbeat_timeout: 45,
        in_game_heartbeat_timeout: 0,
        presence_timeout: 20,
        match_ttl: null,
      },
      ...{ leaver_penalty: 60, trusted_fields: ['rank', 'level'] },
      invite_code_config: { enabled: true, length: 8, charset: 'alphanumeric', prefix: 'EU' },
      matchmaking: {
        ...{ teams: 2, players_per_team: 2, min_players_per_team: 1, max_party_size: 2, use_version_from_state: true },
        ...{ allowed_versions: ['1.0', '1.1'], ready_check: { timeout: 15, penalty: 30 } },
        backfill: { automatic: true, timeout: 90 },
      },
      server_settings: {
        ...{ region: 'fra', tier: '2x-4g', ttl: 3_600, stop_grace_seconds: 30, warm: { buffer: 2 } },
        ...{ environment: { LOG_LEVEL: 'debug' }, custom_data: { map: 'dust' } },
        network_ports: [{ name: 'game', protocol: 'udp', internal_port: 7_777, tls_enabled: false }],
      },
    }
    expect(await admin.queues.get('plain')).toMatchObject(settings)

    await page.getByRole('tab', { name: 'JSON' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download', PATIENCE),
      page.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('plain.json')
    const text = readFileSync(await file.path(), 'utf8')
    expect(JSON.parse(text)).toMatchObject({ queue_id: 'plain', ...settings })

    await window.go('/queues')
    await page.getByRole('button', { name: 'Import…' }).click(PATIENCE)
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Settings').fill('{"queue_id": "copy", "max_player": 2}')
    await dialog.getByText('max_player is no setting of a queue').waitFor(PATIENCE)
    await dialog.getByLabel('Settings').fill(text.replace('"plain"', '"copy"'))
    await dialog.getByRole('button', { name: 'Create queue' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ladder' }).waitFor(PATIENCE)
    expect(await admin.queues.get('copy')).toMatchObject(settings)

    await page.getByRole('tab', { name: 'Lobbies' }).click()
    await page.getByRole('button', { name: 'Duplicate…' }).click()
    await page.getByRole('dialog').getByLabel('Id').fill('third')
    await page.getByRole('dialog').getByRole('button', { name: 'Create queue' }).click()
    await expect.poll(() => new URL(page.url()).hash, { timeout: PATIENCE.timeout }).toMatch(/\/queues\/third$/)
    expect(await admin.queues.get('third')).toMatchObject({ ...settings, name: 'Ladder 2' })
    expect(window.wrong).toEqual([])
    await window.close()
  },
)
