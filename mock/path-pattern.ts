/** Matches the concrete paths of a path template: `{id}` stands for one segment. */
export const pathPattern = (template: string): RegExp =>
  new RegExp(
    `^${template
      .split(/\{[^{}/]+\}/)
      .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}$`,
  );
