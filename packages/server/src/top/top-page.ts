import type { MetricsPage } from '@matchyard/http'
import { type PageAccess, tokenOf } from '../metrics/page-access'
import type { TopNow } from './top'

/** `GET /top`, for whoever may read `/metrics`. */
export const topPage = (now: () => TopNow, access: PageAccess): MetricsPage => ({
  contentType: 'application/json',
  render: async () => JSON.stringify(now()),
  ...tokenOf(access),
})
