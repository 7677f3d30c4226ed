/** The call as a command for a shell. Long bodies are cut. */
export function curlOf(method: string, url: string, headers: Record<string, string>, body?: string): string {
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quoted(url)]
  for (const [name, value] of Object.entries(headers)) parts.push('-H', quoted(`${name}: ${value}`))
  if (body !== undefined)
    parts.push('--data-raw', quoted(body.length > longestBody ? `${body.slice(0, longestBody)}…` : body))
  return parts.join(' ')
}

const longestBody = 4000

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
