using System;
using System.Runtime.InteropServices;

namespace Matchyard
{
    /// <summary>
    /// Handling of SIGTERM, with which Matchyard stops a server ten seconds before SIGKILL. Mono and IL2CPP cannot
    /// safely run C# code on a signal, and SIGTERM ends the process at once. Therefore a process on Mono or IL2CPP that
    /// listens to <see cref="GameServer.Stopping"/> ignores the signal, and the event stream reports the stop. .NET
    /// raises <see cref="AppDomain.ProcessExit"/> on SIGTERM, whose handler can wait.
    /// </summary>
    internal static class Sigterm
    {
#if !UNITY_5_3_OR_NEWER || UNITY_STANDALONE_LINUX || UNITY_STANDALONE_OSX || UNITY_SERVER || UNITY_EDITOR
        private const int Number = 15;
        private static readonly IntPtr Ignore = new IntPtr(1);

        public static void IgnoreIfItWouldKill()
        {
            var isUnix = RuntimeInformation.IsOSPlatform(OSPlatform.Linux) || RuntimeInformation.IsOSPlatform(OSPlatform.OSX);
            if (!isUnix || IsRaisedAsProcessExit) return;
            try
            {
                Signal(Number, Ignore);
            }
            catch (Exception error) when (error is DllNotFoundException || error is EntryPointNotFoundException)
            {
                // The signal cannot be ignored on this platform, so SIGTERM ends the process at once.
            }
        }

        public static bool IsRaisedAsProcessExit
        {
            get
            {
                var runtime = RuntimeInformation.FrameworkDescription;
                return runtime.StartsWith(".NET", StringComparison.Ordinal) && !runtime.StartsWith(".NET Framework", StringComparison.Ordinal);
            }
        }

        [DllImport("libc", EntryPoint = "signal")]
        private static extern IntPtr Signal(int number, IntPtr handler);
#else
        public static bool IsRaisedAsProcessExit
        {
            get { return false; }
        }

        public static void IgnoreIfItWouldKill()
        {
        }
#endif
    }
}
