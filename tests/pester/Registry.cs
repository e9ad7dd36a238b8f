using System;
using System.Runtime.InteropServices;

namespace SvcDeployTests
{
    /// <summary>The command registry, asked of the native library itself.</summary>
    public static class Registry
    {
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)] private delegate IntPtr Describe();
        [UnmanagedFunctionPointer(CallingConvention.Cdecl)] private delegate void Free(IntPtr text);

        /// <summary>The registry as JSON.</summary>
        public static string Read(string library)
        {
            IntPtr handle = NativeLibrary.Load(library);
            var describe = Marshal.GetDelegateForFunctionPointer<Describe>(NativeLibrary.GetExport(handle, "svc_describe"));
            var free = Marshal.GetDelegateForFunctionPointer<Free>(NativeLibrary.GetExport(handle, "svc_string_free"));
            IntPtr text = describe();
            try { return Marshal.PtrToStringUTF8(text); }
            finally { free(text); }
        }
    }
}
