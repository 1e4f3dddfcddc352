import { ENDPOINTS, openApiDocument } from '@matchyard/http'
import { defineCommand } from 'citty'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'
import { VERSION } from '../service/version'

/** The document that the service answers at `/openapi.json`, without a service. */
export const openapi = defineCommand({
  meta: { name: 'openapi', description: 'Print the OpenAPI document.' },
  run: () =>
    tellFailure(async () => {
      await print(`${JSON.stringify(openApiDocument(ENDPOINTS, VERSION), null, 2)}\n`)
    }),
})
