import type { Fields, KubeObject } from './objects'

/**
 * Returns a pod whose container has the values of its variables from secrets; undefined while a secret or its key is missing. As in a real
 * cluster, `$(NAME)` in such a value is not replaced, so each `$` is doubled here.
 */
export function withSecretVariables(
  pod: KubeObject,
  secretNamed: (name: string) => KubeObject | undefined,
): KubeObject | undefined {
  const [container, ...others] = pod.spec.containers
  const env = (container.env ?? []).map(({ name, value, valueFrom }: Fields) => {
    if (valueFrom?.secretKeyRef === undefined) return { name, value }
    const { name: secret, key } = valueFrom.secretKeyRef
    const data = secretNamed(secret)?.data?.[key]
    return data === undefined
      ? undefined
      : { name, value: Buffer.from(data, 'base64').toString().replaceAll('$', '$$$$') }
  })
  if (env.includes(undefined)) return undefined
  return { ...pod, spec: { ...pod.spec, containers: [{ ...container, env }, ...others] } }
}
