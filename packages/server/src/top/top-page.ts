import type { MetricsPage } from '@matchyard/http'
import { type PageAccess, tokenOf } from '../metrics/page-access'
import type { TopNow } from './top'

/** Returns the page `GET /top`. The callers that may read `/metrics` may also read this page. */
export const topPage = (now: () => TopNow, access: PageAccess): MetricsPage => ({
  contentType: 'application/json',
  render: async () => JSON.stringify(now()),
  ...tokenOf(access),
})
