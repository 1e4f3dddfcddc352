import { ENDPOINTS, openApiDocument } from '@matchyard/http'
import { defineCommand } from 'citty'
import { print } from '../service/print'
import { tellFailure } from '../service/tell-failure'
import { VERSION } from '../service/version'

/** Prints the document that the service returns at `/openapi.json`. The command needs no running service. */
export const openapi = defineCommand({
  meta: { name: 'openapi', description: 'Print the OpenAPI document.' },
  run: () =>
    tellFailure(async () => {
      await print(`${JSON.stringify(openApiDocument(ENDPOINTS, VERSION), null, 2)}\n`)
    }),
})
