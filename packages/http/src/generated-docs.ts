import { errorsPage } from './errors-page'
import { openApiDocument } from './openapi/document'
import { ENDPOINTS } from './routes/index'

/** The version that the committed document carries: the interface's, not a package's. */
const INTERFACE_VERSION = '1'

/** The pages under `docs/` that are made from the code, by file name. */
export const generatedDocs = (): Readonly<Record<string, string>> => ({
  'openapi.json': `${JSON.stringify(openApiDocument(ENDPOINTS, INTERFACE_VERSION), null, 2)}\n`,
  'errors.md': errorsPage(),
})
