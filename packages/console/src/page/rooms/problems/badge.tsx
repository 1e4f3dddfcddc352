import { useProblems } from '../../data/problems'
import { Shape } from '../../ui'

/** How many problems there are, where there are any. */
export function ProblemBadge() {
  const { value } = useProblems().now
  if (value.is !== 'ready' || value.data.length === 0) return null
  const isGrave = value.data.some(({ severity }) => severity === 'error')
  return (
    <>
      <Shape tone={isGrave ? 'bad' : 'wait'} /> {value.data.length}
    </>
  )
}
