import { createAdmin } from '@matchyard/client/admin'
import { expect, it } from 'vitest'
import { Keyboard } from '../../src/console/by-keyboard'
import { PATIENCE } from '../../src/console/console-browser'
import { consoleUnderTest } from '../../src/console/console-under-test'
import { eventually } from '../../src/eventually'

const tried = consoleUnderTest()
const LONG = { timeout: 180_000 }

it(
  'signing in, playing a match, changing rules and minting a key need no more than a keyboard',
  LONG,
  async (context) => {
    const window = await tried.open(context)
    const { page } = window
    const keys = new Keyboard(page)
    const { base_url: baseUrl, server_key: serverKey, email, password } = tried.service.credentials
    const admin = createAdmin({ baseUrl, serverKey })
    await admin.queues.create({
      queue_id: 'keyed',
      name: 'Keyed',
      matchmaking: { rules: [{ type: 'difference', field: 'mmr', max_difference: 10 }] },
    })

    await page.goto(`${baseUrl}/console/`)
    await page.getByLabel('E-mail').waitFor(PATIENCE)
    await keys.write('E-mail', email)
    await keys.write('Password', password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Now' }).waitFor(PATIENCE)

    await keys.press('Playground')
    await page.getByRole('button', { name: 'Play a test match' }).waitFor(PATIENCE)
    await keys.to('Queue')
    await page.keyboard.press('d')
    await keys.press('Play a test match')
    await page.getByRole('log', { name: 'Server log' }).getByText(/./).first().waitFor(PATIENCE)
    await page.getByText('Running', { exact: true }).first().waitFor(PATIENCE)
    await keys.press('End match')
    await page.getByRole('dialog').waitFor(PATIENCE)
    await keys.press('End the match')
    await page.getByText('The match has ended.').waitFor(PATIENCE)

    // The keyboard skips the navigation first, then goes through the rows.
    await keys.press('Queues')
    await page.getByRole('row').filter({ hasText: 'Keyed' }).waitFor(PATIENCE)
    await keys.press('Skip to content')
    await keys.press(/^(Keyed|Demo)/)
    await page.getByRole('tab', { name: 'History' }).waitFor(PATIENCE)
    await window.go('/queues/keyed')
    await page.getByLabel('max difference').waitFor(PATIENCE)
    await keys.write('max difference', '25')
    await keys.press('Apply…')
    await page.getByRole('dialog').waitFor(PATIENCE)
    await keys.press('Apply')
    await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })
    await eventually(
      async () => (await admin.queues.get('keyed')).matchmaking?.rules?.[0],
      (rule) => rule?.type === 'difference' && rule.max_difference === 25,
    )
    // All tabs are one tab stop; the arrow keys move from tab to tab.
    await keys.to('Rules')
    for (const _ of ['Lobbies', 'Game server', 'JSON', 'History']) await page.keyboard.press('ArrowRight')
    await keys.press('Restore this version')
    await page.getByRole('dialog').waitFor(PATIENCE)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ ...PATIENCE, state: 'detached' })
    await keys.press('Restore this version')
    await keys.press('Restore version 1')
    await page.getByText('Version 3').waitFor(PATIENCE)

    await keys.press('Settings')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor(PATIENCE)
    await keys.press('New key')
    await page.getByRole('dialog').waitFor(PATIENCE)
    await keys.write('Name', 'Made without a mouse')
    await keys.press('Create key')
    await page.locator('.secret code').waitFor(PATIENCE)
    await keys.press('I have stored the key')
    await page.getByRole('row', { name: /Made without a mouse/ }).waitFor(PATIENCE)

    expect(keys.unseen).toEqual([])
    expect(window.wrong).toEqual([])
    await window.close()
  },
)
