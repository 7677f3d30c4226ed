import type { Stories } from '../console/src/languages/stories-en.ts'

/** The page of a role's day: each picture with its caption in both languages. */
export function storyPage(role: keyof Stories, en: Stories, zh: Stories): string {
  const captions: Record<string, string> = zh[role].scenes
  const scenes = Object.entries<string>(en[role].scenes).flatMap(([scene, caption], at) => [
    `## ${at + 1}. ${caption}`,
    '',
    captions[scene]!,
    '',
    `![${caption}](../pictures/stories/${role}-${scene}-en.webp)`,
    '',
  ])
  return [
    `# ${en[role].title} · ${zh[role].title}`,
    '',
    'Made by `npm run generate` from the captions in `console/src/languages`; `npm run test:long -- pictures` takes the pictures.',
    '',
    ...scenes,
  ].join('\n')
}
