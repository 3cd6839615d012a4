// Sets the theme before the first paint; the rest of the page is a module, which runs later.
(() => {
  let chosen;
  try {
    chosen = localStorage.getItem('pinhole.theme');
  } catch {
    // No access to storage: use the system's theme.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
})();
