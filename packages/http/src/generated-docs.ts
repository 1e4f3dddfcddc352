import { errorsPage } from './errors-page'
import { openApiDocument } from './openapi/document'
import { ENDPOINTS } from './routes/index'

/** Version in the committed OpenAPI document: the version of the HTTP interface, not of a package. */
const INTERFACE_VERSION = '1'

/** Returns the pages under `docs/` that are made from the code, by file name. */
export const generatedDocs = (): Readonly<Record<string, string>> => ({
  'openapi.json': `${JSON.stringify(openApiDocument(ENDPOINTS, INTERFACE_VERSION), null, 2)}\n`,
  'errors.md': errorsPage(),
})
