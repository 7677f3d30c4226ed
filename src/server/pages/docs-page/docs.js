const ui = window.SwaggerUIBundle({
  url: document.getElementById('reference').dataset.document,
  dom_id: '#reference',
  presets: [window.SwaggerUIBundle.presets.apis],
  layout: 'BaseLayout',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  // Shows the limits of parameters: longest, least, most.
  showCommonExtensions: true,
  syntaxHighlight: { theme: 'idea' },
  // The badge would send the document to another host.
  validatorUrl: null,
})

const form = document.getElementById('sign-in')
const status = document.getElementById('sign-in-status')

// Browsers offer SHA-256 only over HTTPS and on the machine itself. The page of the console has no form.
if (form && window.crypto?.subtle) {
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    signIn().catch((error) => show(error.message, 'failed'))
  })
} else if (form) {
  form.hidden = true
  show(
    'This page did not come over HTTPS, so it cannot sign for you: obtain a token elsewhere and paste it under Authorize.',
  )
}

async function signIn() {
  const app_id = document.getElementById('app-id').value.trim()
  const secret = document.getElementById('secret').value
  const time_stamp = String(Math.floor(Date.now() / 1000))
  show('Asking for a token …')
  const response = await fetch('/api/v5/authentication/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ app_id, time_stamp, signature: await sha256(app_id + time_stamp + secret) }),
  })
  const { code, msg, data } = await response.json()
  if (code !== 0) throw new Error(`${code} ${msg}`)
  ui.preauthorizeApiKey('bearer', data.token)
  show(
    `Authorized until ${new Date(data.expire_time).toLocaleTimeString()}: the calls below carry your token.`,
    'done',
  )
}

async function sha256(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function show(text, outcome = '') {
  status.textContent = text
  status.className = outcome
}
