// For test programs that draw with OpenGL. Mesa unloads its driver when the last context goes, and with it the pointers
// to what the driver still held. The leak checker then blames an unknown module, which no suppression can name; it is
// off in these programs.
#if defined(__SANITIZE_ADDRESS__)
extern "C" const char* __lsan_default_options() { return "detect_leaks=0"; }
#endif
