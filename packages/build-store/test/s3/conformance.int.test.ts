import { randomUUID } from 'node:crypto'
import { buildStoreConformance } from '@matchyard/testkit/build-store'
import { temporaryFolder } from '@matchyard/tooling/temporary-folder'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { s3BuildStore } from '../../src/s3/index'
import { type S3Server, startTestStore } from '../../src/testing/index'

let server: S3Server
beforeAll(async () => {
  server = await startTestStore()
}, 120_000)
afterAll(() => server.close())

const put = async (url: string, body: Uint8Array) =>
  (await fetch(url, { method: 'PUT', body: body as Uint8Array<ArrayBuffer> })).status

describe.each([
  ['past the service', true],
  ['through the service', false],
])('the build store suite, uploads %s', (_, directUploads) => {
  for (const { name, run } of buildStoreConformance()) {
    it(name, async () => {
      const { bucket, endpoint, credentials } = server
      const where = { bucket, endpoint, credentials, prefix: `${randomUUID()}/`, directUploads }
      const node = async () => s3BuildStore({ ...where, cacheDirectory: await temporaryFolder() })
      await run({ node, folder: temporaryFolder, put })
    })
  }
})
