import { Empty, Page } from '../../ui'

/** What is shown until there is more of it. */
export function View() {
  return (
    <Page title="Problems">
      <Empty icon="problems" title="Nothing here yet" />
    </Page>
  )
}
