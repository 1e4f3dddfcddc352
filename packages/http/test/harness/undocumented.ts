import { openApiDocument } from '../../src/openapi'
import { ENDPOINTS } from '../../src/routes/index'
import type { Answer } from './client'

type Responses = Readonly<Record<string, { readonly description: string }>>
const { paths } = openApiDocument(ENDPOINTS, '0.0.0')

const ROUTES = ENDPOINTS.map(({ method, path }) => ({
  method: method.toUpperCase(),
  pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+').replaceAll('.', '\\.')}$`),
  responses: (paths[path] as Record<string, { responses: Responses }>)[method]?.responses ?? {},
}))

/** Every refusal that any test meets must stand in the document. Throws where it does not. */
export function undocumented(method: string, path: string, { status, body }: Answer): void {
  const code: unknown = body?.code
  if (typeof code !== 'string' || status < 400) return
  const [pathname = ''] = path.split('?')
  const route = ROUTES.find((one) => one.method === method && one.pattern.test(pathname))
  if (route === undefined || route.responses[status]?.description.split(', ').includes(code)) return
  throw new Error(`${method} ${pathname} answered ${status} ${code}, which its documentation does not name`)
}
