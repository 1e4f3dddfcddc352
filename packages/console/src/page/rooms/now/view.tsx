import { Page } from '../../ui'
import { FirstSteps } from '../start/first-steps'

/** How the project is. */
export function View() {
  return (
    <Page title="Now">
      <FirstSteps />
    </Page>
  )
}
