import { faultsOfHtml } from '@matchyard/tooling/html'
import { expect, test } from 'vitest'
import { startService } from './harness/service'

test('GET / is a page of links for a browser, each of which leads somewhere', async () => {
  const { call } = await startService({ app: { version: '1.2.3', referenceScript: async () => '' } })
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await call('GET /', { headers })
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(page.text).toContain('Version 1.2.3')
  expect(await faultsOfHtml(page.text)).toEqual([])
  const links = [...page.text.matchAll(/href="\.(\/[^"]+)"/g)].map(([, path]) => path ?? '')
  expect(links).toContain('/reference')
  for (const path of links.filter((link) => link !== '/metrics')) {
    expect((await call(`GET ${path}`)).status, path).toBe(200)
  }
})

test('GET / is JSON for everybody else', async () => {
  const { call } = await startService({ app: { version: '1.2.3' } })
  for (const accept of [undefined, '*/*', 'application/json']) {
    const { status, body, headers } = await call('GET /', accept === undefined ? {} : { headers: { accept } })
    expect([status, headers.get('vary')]).toEqual([200, 'accept'])
    expect(body).toMatchObject({ name: 'matchyard', version: '1.2.3', links: { reference: '/reference' } })
    expect(body).toMatchObject({ sign_in_codes: false })
  }
})

test('GET / says where one-time codes sign in', async () => {
  const signInCodes = { use: () => undefined }
  const { call } = await startService({ app: { signInCodes } })
  expect((await call('GET /')).body).toMatchObject({ sign_in_codes: true })
})
