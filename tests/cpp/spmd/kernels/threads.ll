; ModuleID = 'threads.cu'
source_filename = "threads.cu"
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%struct.Mixed = type { i8, double, i16 }
%struct.anon = type { i32, double, ptr, i64 }

@_ZZ9histogramE1s = internal addrspace(3) global [16 x i32] undef, align 4
@.str = private unnamed_addr constant [4 x i8] c"ab%\00", align 1
@.str1 = private unnamed_addr constant [20 x i8] c"%d %.2f %s %lld %%\0A\00", align 1
@_ZZ20raise_before_barrierE1s = internal addrspace(3) global [64 x i32] undef, align 4
@.str2 = private unnamed_addr constant [7 x i8] c"x == 1\00", align 1
@.str3 = private unnamed_addr constant [8 x i8] c"file.cu\00", align 1
@.str4 = private unnamed_addr constant [10 x i8] c"assertion\00", align 1
@_ZZ7descendiPiE5depth = internal addrspace(3) global [64 x i32] undef, align 4
@_ZL5table = internal addrspace(4) constant [2 x ptr] [ptr @_Z7add_onei, ptr @_Z5twicei], align 8
@weights = dso_local addrspace(4) externally_initialized global [4 x i32] [i32 1, i32 10, i32 100, i32 1000], align 4
@global_state = dso_local addrspace(1) externally_initialized global [4 x i32] [i32 5, i32 6, i32 7, i32 8], align 4
@_ZZ6spacesE1s = internal addrspace(3) global [4 x i32] undef, align 4
@llvm.compiler.used = appending global [2 x ptr] [ptr addrspacecast (ptr addrspace(4) @weights to ptr), ptr addrspacecast (ptr addrspace(1) @global_state to ptr)], section "llvm.metadata"

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @coordinates(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !22
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #10
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %8 = mul nsw i32 %6, %7
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %10 = add nsw i32 %8, %9
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %12 = mul nsw i32 %10, %11
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %14 = add nsw i32 %12, %13
  store i32 %14, ptr %3, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(i64 4, ptr %4) #10
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %16 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %17 = mul nsw i32 %15, %16
  %18 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %19 = add nsw i32 %17, %18
  %20 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %21 = mul nsw i32 %19, %20
  %22 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %23 = add nsw i32 %21, %22
  store i32 %23, ptr %4, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(i64 8, ptr %5) #10
  %24 = load ptr, ptr %2, align 8, !tbaa !22
  %25 = load i32, ptr %3, align 4, !tbaa !26
  %26 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %27 = mul nsw i32 %25, %26
  %28 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %29 = mul nsw i32 %27, %28
  %30 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %31 = mul nsw i32 %29, %30
  %32 = load i32, ptr %4, align 4, !tbaa !26
  %33 = add nsw i32 %31, %32
  %34 = mul nsw i32 %33, 6
  %35 = sext i32 %34 to i64
  %36 = getelementptr inbounds i32, ptr %24, i64 %35
  store ptr %36, ptr %5, align 8, !tbaa !22
  %37 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %38 = load ptr, ptr %5, align 8, !tbaa !22
  %39 = getelementptr inbounds i32, ptr %38, i64 0
  store i32 %37, ptr %39, align 4, !tbaa !26
  %40 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %41 = load ptr, ptr %5, align 8, !tbaa !22
  %42 = getelementptr inbounds i32, ptr %41, i64 1
  store i32 %40, ptr %42, align 4, !tbaa !26
  %43 = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %44 = load ptr, ptr %5, align 8, !tbaa !22
  %45 = getelementptr inbounds i32, ptr %44, i64 2
  store i32 %43, ptr %45, align 4, !tbaa !26
  %46 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %47 = load ptr, ptr %5, align 8, !tbaa !22
  %48 = getelementptr inbounds i32, ptr %47, i64 3
  store i32 %46, ptr %48, align 4, !tbaa !26
  %49 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %50 = load ptr, ptr %5, align 8, !tbaa !22
  %51 = getelementptr inbounds i32, ptr %50, i64 4
  store i32 %49, ptr %51, align 4, !tbaa !26
  %52 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %53 = load ptr, ptr %5, align 8, !tbaa !22
  %54 = getelementptr inbounds i32, ptr %53, i64 5
  store i32 %52, ptr %54, align 4, !tbaa !26
  call void @llvm.lifetime.end.p0(i64 8, ptr %5) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %4) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #10
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.z() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.z() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.y() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.z() #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(argmem: readwrite)
declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @parameters(i8 noundef signext %0, double noundef %1, i16 noundef signext %2, ptr noundef byval(%struct.Mixed) align 8 %3, i1 noundef zeroext %4, float noundef %5, ptr noundef %6) #0 {
  %8 = alloca i8, align 1
  %9 = alloca double, align 8
  %10 = alloca i16, align 2
  %11 = alloca i8, align 1
  %12 = alloca float, align 4
  %13 = alloca ptr, align 8
  store i8 %0, ptr %8, align 1, !tbaa !28
  store double %1, ptr %9, align 8, !tbaa !29
  store i16 %2, ptr %10, align 2, !tbaa !31
  %14 = zext i1 %4 to i8
  store i8 %14, ptr %11, align 1, !tbaa !33
  store float %5, ptr %12, align 4, !tbaa !35
  store ptr %6, ptr %13, align 8, !tbaa !22
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %16 = icmp ne i32 %15, 0
  br i1 %16, label %17, label %18

17:                                               ; preds = %7
  br label %63

18:                                               ; preds = %7
  %19 = getelementptr inbounds %struct.Mixed, ptr %3, i32 0, i32 2
  %20 = load i16, ptr %19, align 8, !tbaa !37
  %21 = sext i16 %20 to i32
  %22 = add nsw i32 %21, 1
  %23 = trunc i32 %22 to i16
  store i16 %23, ptr %19, align 8, !tbaa !37
  %24 = load i8, ptr %8, align 1, !tbaa !28
  %25 = sext i8 %24 to i64
  %26 = load ptr, ptr %13, align 8, !tbaa !22
  %27 = getelementptr inbounds i64, ptr %26, i64 0
  store i64 %25, ptr %27, align 8, !tbaa !39
  %28 = load double, ptr %9, align 8, !tbaa !29
  %29 = fmul double %28, 2.000000e+00
  %30 = fptosi double %29 to i64
  %31 = load ptr, ptr %13, align 8, !tbaa !22
  %32 = getelementptr inbounds i64, ptr %31, i64 1
  store i64 %30, ptr %32, align 8, !tbaa !39
  %33 = load i16, ptr %10, align 2, !tbaa !31
  %34 = sext i16 %33 to i64
  %35 = load ptr, ptr %13, align 8, !tbaa !22
  %36 = getelementptr inbounds i64, ptr %35, i64 2
  store i64 %34, ptr %36, align 8, !tbaa !39
  %37 = getelementptr inbounds %struct.Mixed, ptr %3, i32 0, i32 0
  %38 = load i8, ptr %37, align 8, !tbaa !41
  %39 = sext i8 %38 to i64
  %40 = load ptr, ptr %13, align 8, !tbaa !22
  %41 = getelementptr inbounds i64, ptr %40, i64 3
  store i64 %39, ptr %41, align 8, !tbaa !39
  %42 = getelementptr inbounds %struct.Mixed, ptr %3, i32 0, i32 1
  %43 = load double, ptr %42, align 8, !tbaa !42
  %44 = fmul double %43, 4.000000e+00
  %45 = fptosi double %44 to i64
  %46 = load ptr, ptr %13, align 8, !tbaa !22
  %47 = getelementptr inbounds i64, ptr %46, i64 4
  store i64 %45, ptr %47, align 8, !tbaa !39
  %48 = getelementptr inbounds %struct.Mixed, ptr %3, i32 0, i32 2
  %49 = load i16, ptr %48, align 8, !tbaa !37
  %50 = sext i16 %49 to i64
  %51 = load ptr, ptr %13, align 8, !tbaa !22
  %52 = getelementptr inbounds i64, ptr %51, i64 5
  store i64 %50, ptr %52, align 8, !tbaa !39
  %53 = load i8, ptr %11, align 1, !tbaa !33, !range !43, !noundef !44
  %54 = trunc i8 %53 to i1
  %55 = zext i1 %54 to i64
  %56 = load ptr, ptr %13, align 8, !tbaa !22
  %57 = getelementptr inbounds i64, ptr %56, i64 6
  store i64 %55, ptr %57, align 8, !tbaa !39
  %58 = load float, ptr %12, align 4, !tbaa !35
  %59 = fmul float %58, 8.000000e+00
  %60 = fptosi float %59 to i64
  %61 = load ptr, ptr %13, align 8, !tbaa !22
  %62 = getelementptr inbounds i64, ptr %61, i64 7
  store i64 %60, ptr %62, align 8, !tbaa !39
  br label %63

63:                                               ; preds = %18, %17
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @grid_stride(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !22
  store ptr %1, ptr %5, align 8, !tbaa !22
  store i32 %2, ptr %6, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #10
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul nsw i32 %8, %9
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add nsw i32 %10, %11
  store i32 %12, ptr %7, align 4, !tbaa !26
  br label %13

13:                                               ; preds = %32, %3
  %14 = load i32, ptr %7, align 4, !tbaa !26
  %15 = load i32, ptr %6, align 4, !tbaa !26
  %16 = icmp slt i32 %14, %15
  br i1 %16, label %18, label %17

17:                                               ; preds = %13
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #10
  br label %38

18:                                               ; preds = %13
  %19 = load ptr, ptr %4, align 8, !tbaa !22
  %20 = load i32, ptr %7, align 4, !tbaa !26
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds float, ptr %19, i64 %21
  %23 = load float, ptr %22, align 4, !tbaa !35
  %24 = fmul float %23, 2.000000e+00
  %25 = load i32, ptr %7, align 4, !tbaa !26
  %26 = sitofp i32 %25 to float
  %27 = fadd float %24, %26
  %28 = load ptr, ptr %5, align 8, !tbaa !22
  %29 = load i32, ptr %7, align 4, !tbaa !26
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds float, ptr %28, i64 %30
  store float %27, ptr %31, align 4, !tbaa !35
  br label %32

32:                                               ; preds = %18
  %33 = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %34 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %35 = mul nsw i32 %33, %34
  %36 = load i32, ptr %7, align 4, !tbaa !26
  %37 = add nsw i32 %36, %35
  store i32 %37, ptr %7, align 4, !tbaa !26
  br label %13, !llvm.loop !45

38:                                               ; preds = %17
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @histogram(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !22
  store ptr %1, ptr %5, align 8, !tbaa !22
  store i32 %2, ptr %6, align 4, !tbaa !26
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = icmp slt i32 %7, 16
  br i1 %8, label %9, label %13

9:                                                ; preds = %3
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds [16 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE1s to ptr), i64 0, i64 %11
  store i32 0, ptr %12, align 4, !tbaa !26
  br label %13

13:                                               ; preds = %9, %3
  call void @llvm.nvvm.barrier0()
  %14 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %16 = mul nsw i32 %14, %15
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %18 = add nsw i32 %16, %17
  %19 = load i32, ptr %6, align 4, !tbaa !26
  %20 = icmp slt i32 %18, %19
  br i1 %20, label %21, label %35

21:                                               ; preds = %13
  %22 = load ptr, ptr %4, align 8, !tbaa !22
  %23 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %24 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %25 = mul nsw i32 %23, %24
  %26 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %27 = add nsw i32 %25, %26
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds i32, ptr %22, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !26
  %31 = and i32 %30, 15
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds [16 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE1s to ptr), i64 0, i64 %32
  %34 = atomicrmw add ptr %33, i32 1 seq_cst, align 4
  br label %35

35:                                               ; preds = %21, %13
  call void @llvm.nvvm.barrier0()
  %36 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %37 = icmp slt i32 %36, 16
  br i1 %37, label %38, label %48

38:                                               ; preds = %35
  %39 = load ptr, ptr %5, align 8, !tbaa !22
  %40 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %41 = sext i32 %40 to i64
  %42 = getelementptr inbounds i32, ptr %39, i64 %41
  %43 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %44 = sext i32 %43 to i64
  %45 = getelementptr inbounds [16 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ9histogramE1s to ptr), i64 0, i64 %44
  %46 = load i32, ptr %45, align 4, !tbaa !26
  %47 = atomicrmw add ptr %42, i32 %46 seq_cst, align 4
  br label %48

48:                                               ; preds = %38, %35
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier0() #3

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @atomics(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8, !tbaa !22
  store ptr %1, ptr %4, align 8, !tbaa !22
  %5 = load ptr, ptr %3, align 8, !tbaa !22
  %6 = getelementptr inbounds i32, ptr %5, i64 0
  %7 = atomicrmw add ptr %6, i32 1 seq_cst, align 4
  %8 = load ptr, ptr %3, align 8, !tbaa !22
  %9 = getelementptr inbounds i32, ptr %8, i64 1
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %12 = mul nsw i32 %10, %11
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = add nsw i32 %12, %13
  %15 = atomicrmw max ptr %9, i32 %14 seq_cst, align 4
  %16 = load ptr, ptr %3, align 8, !tbaa !22
  %17 = getelementptr inbounds i32, ptr %16, i64 2
  %18 = call i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr %17, i32 9)
  %19 = load ptr, ptr %4, align 8, !tbaa !22
  %20 = atomicrmw fadd ptr %19, float 5.000000e-01 seq_cst, align 4
  br label %21

21:                                               ; preds = %27, %2
  %22 = load ptr, ptr %3, align 8, !tbaa !22
  %23 = getelementptr inbounds i32, ptr %22, i64 3
  %24 = cmpxchg ptr %23, i32 0, i32 1 seq_cst seq_cst, align 4
  %25 = extractvalue { i32, i1 } %24, 0
  %26 = icmp ne i32 %25, 0
  br i1 %26, label %27, label %28

27:                                               ; preds = %21
  br label %21, !llvm.loop !47

28:                                               ; preds = %21
  %29 = load ptr, ptr %3, align 8, !tbaa !22
  %30 = getelementptr inbounds i32, ptr %29, i64 4
  %31 = load i32, ptr %30, align 4, !tbaa !26
  %32 = mul nsw i32 %31, 1
  %33 = add nsw i32 %32, 2
  %34 = load ptr, ptr %3, align 8, !tbaa !22
  %35 = getelementptr inbounds i32, ptr %34, i64 4
  store i32 %33, ptr %35, align 4, !tbaa !26
  call void @llvm.nvvm.membar.gl()
  %36 = load ptr, ptr %3, align 8, !tbaa !22
  %37 = getelementptr inbounds i32, ptr %36, i64 3
  %38 = atomicrmw xchg ptr %37, i32 0 seq_cst, align 4
  ret void
}

; Function Attrs: nocallback nounwind memory(argmem: readwrite)
declare i32 @llvm.nvvm.atomic.load.inc.32.p0(ptr nocapture, i32) #4

; Function Attrs: nocallback nounwind
declare void @llvm.nvvm.membar.gl() #5

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @print(i32 noundef %0) #0 {
  %2 = alloca i32, align 4
  %3 = alloca %struct.anon, align 8
  %4 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(i64 32, ptr %3) #10
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = load i32, ptr %2, align 4, !tbaa !26
  %7 = icmp sge i32 %5, %6
  br i1 %7, label %8, label %9

8:                                                ; preds = %1
  store i32 1, ptr %4, align 4
  br label %19

9:                                                ; preds = %1
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = getelementptr inbounds %struct.anon, ptr %3, i32 0, i32 0
  store i32 %10, ptr %11, align 8, !tbaa !48
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %13 = sitofp i32 %12 to double
  %14 = fmul double %13, 5.000000e-01
  %15 = getelementptr inbounds %struct.anon, ptr %3, i32 0, i32 1
  store double %14, ptr %15, align 8, !tbaa !50
  %16 = getelementptr inbounds %struct.anon, ptr %3, i32 0, i32 2
  store ptr @.str, ptr %16, align 8, !tbaa !51
  %17 = getelementptr inbounds %struct.anon, ptr %3, i32 0, i32 3
  store i64 1099511627776, ptr %17, align 8, !tbaa !52
  %18 = call i32 @vprintf(ptr noundef @.str1, ptr noundef %3) #11
  store i32 0, ptr %4, align 4
  br label %19

19:                                               ; preds = %9, %8
  call void @llvm.lifetime.end.p0(i64 32, ptr %3) #10
  %20 = load i32, ptr %4, align 4
  switch i32 %20, label %22 [
    i32 0, label %21
    i32 1, label %21
  ]

21:                                               ; preds = %19, %19
  ret void

22:                                               ; preds = %19
  unreachable
}

; Function Attrs: convergent nounwind
declare dso_local i32 @vprintf(ptr noundef, ptr noundef) #6

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @raise(ptr noundef %0, i32 noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca [2 x i64], align 8
  store ptr %0, ptr %3, align 8, !tbaa !22
  store i32 %1, ptr %4, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #10
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul nsw i32 %8, %9
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add nsw i32 %10, %11
  store i32 %12, ptr %5, align 4, !tbaa !26
  %13 = load i32, ptr %5, align 4, !tbaa !26
  %14 = load i32, ptr %4, align 4, !tbaa !26
  %15 = icmp sge i32 %13, %14
  br i1 %15, label %16, label %17

16:                                               ; preds = %2
  store i32 1, ptr %6, align 4
  br label %40

17:                                               ; preds = %2
  %18 = load ptr, ptr %3, align 8, !tbaa !22
  %19 = load i32, ptr %5, align 4, !tbaa !26
  %20 = sext i32 %19 to i64
  %21 = getelementptr inbounds i32, ptr %18, i64 %20
  %22 = load i32, ptr %21, align 4, !tbaa !26
  %23 = icmp slt i32 %22, 0
  br i1 %23, label %24, label %35

24:                                               ; preds = %17
  call void @llvm.lifetime.start.p0(i64 16, ptr %7) #10
  %25 = load i32, ptr %5, align 4, !tbaa !26
  %26 = sext i32 %25 to i64
  store i64 %26, ptr %7, align 8, !tbaa !39
  %27 = getelementptr inbounds i64, ptr %7, i64 1
  %28 = load ptr, ptr %3, align 8, !tbaa !22
  %29 = load i32, ptr %5, align 4, !tbaa !26
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds i32, ptr %28, i64 %30
  %32 = load i32, ptr %31, align 4, !tbaa !26
  %33 = sext i32 %32 to i64
  store i64 %33, ptr %27, align 8, !tbaa !39
  %34 = getelementptr inbounds [2 x i64], ptr %7, i64 0, i64 0
  call void @__lanewise_raise(i32 noundef 7, ptr noundef %34, i32 noundef 2) #11
  call void @llvm.nvvm.exit()
  call void @llvm.lifetime.end.p0(i64 16, ptr %7) #10
  br label %35

35:                                               ; preds = %24, %17
  %36 = load ptr, ptr %3, align 8, !tbaa !22
  %37 = load i32, ptr %5, align 4, !tbaa !26
  %38 = sext i32 %37 to i64
  %39 = getelementptr inbounds i32, ptr %36, i64 %38
  store i32 100, ptr %39, align 4, !tbaa !26
  store i32 0, ptr %6, align 4
  br label %40

40:                                               ; preds = %35, %16
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #10
  %41 = load i32, ptr %6, align 4
  switch i32 %41, label %43 [
    i32 0, label %42
    i32 1, label %42
  ]

42:                                               ; preds = %40, %40
  ret void

43:                                               ; preds = %40
  unreachable
}

; Function Attrs: convergent nounwind
declare dso_local void @__lanewise_raise(i32 noundef, ptr noundef, i32 noundef) #6

; Function Attrs: convergent noreturn nounwind memory(inaccessiblemem: readwrite)
declare void @llvm.nvvm.exit() #7

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @raise_before_barrier(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !22
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #10
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %4, ptr %3, align 4, !tbaa !26
  %5 = load i32, ptr %3, align 4, !tbaa !26
  %6 = load i32, ptr %3, align 4, !tbaa !26
  %7 = sext i32 %6 to i64
  %8 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ20raise_before_barrierE1s to ptr), i64 0, i64 %7
  store i32 %5, ptr %8, align 4, !tbaa !26
  %9 = load ptr, ptr %2, align 8, !tbaa !22
  %10 = load i32, ptr %3, align 4, !tbaa !26
  %11 = sext i32 %10 to i64
  %12 = getelementptr inbounds i32, ptr %9, i64 %11
  %13 = load i32, ptr %12, align 4, !tbaa !26
  %14 = icmp slt i32 %13, 0
  br i1 %14, label %15, label %16

15:                                               ; preds = %1
  call void @__lanewise_raise(i32 noundef 3, ptr noundef null, i32 noundef 0) #11
  call void @llvm.nvvm.exit()
  br label %16

16:                                               ; preds = %15, %1
  call void @llvm.nvvm.barrier0()
  %17 = load i32, ptr %3, align 4, !tbaa !26
  %18 = sub nsw i32 63, %17
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ20raise_before_barrierE1s to ptr), i64 0, i64 %19
  %21 = load i32, ptr %20, align 4, !tbaa !26
  %22 = load ptr, ptr %2, align 8, !tbaa !22
  %23 = load i32, ptr %3, align 4, !tbaa !26
  %24 = sext i32 %23 to i64
  %25 = getelementptr inbounds i32, ptr %22, i64 %24
  store i32 %21, ptr %25, align 4, !tbaa !26
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #10
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @trap(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !22
  %3 = load ptr, ptr %2, align 8, !tbaa !22
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds i32, ptr %3, i64 %5
  store i32 1, ptr %6, align 4, !tbaa !26
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = icmp eq i32 %7, 5
  br i1 %8, label %9, label %10

9:                                                ; preds = %1
  call void @llvm.trap()
  br label %10

10:                                               ; preds = %9, %1
  %11 = load ptr, ptr %2, align 8, !tbaa !22
  %12 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %13 = sext i32 %12 to i64
  %14 = getelementptr inbounds i32, ptr %11, i64 %13
  store i32 2, ptr %14, align 4, !tbaa !26
  ret void
}

; Function Attrs: cold noreturn nounwind memory(inaccessiblemem: write)
declare void @llvm.trap() #8

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @assertion(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !22
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = icmp eq i32 %3, 2
  br i1 %4, label %5, label %6

5:                                                ; preds = %1
  call void @__assertfail(ptr noundef @.str2, ptr noundef @.str3, i32 noundef 12, ptr noundef @.str4, i64 noundef 1) #11
  br label %6

6:                                                ; preds = %5, %1
  %7 = load ptr, ptr %2, align 8, !tbaa !22
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = sext i32 %8 to i64
  %10 = getelementptr inbounds i32, ptr %7, i64 %9
  store i32 2, ptr %10, align 4, !tbaa !26
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local void @__assertfail(ptr noundef, ptr noundef, i32 noundef, ptr noundef, i64 noundef) #6

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z9fibonaccii(i32 noundef %0) #9 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !26
  %3 = load i32, ptr %2, align 4, !tbaa !26
  %4 = icmp slt i32 %3, 2
  br i1 %4, label %5, label %7

5:                                                ; preds = %1
  %6 = load i32, ptr %2, align 4, !tbaa !26
  br label %15

7:                                                ; preds = %1
  %8 = load i32, ptr %2, align 4, !tbaa !26
  %9 = sub nsw i32 %8, 1
  %10 = call noundef i32 @_Z9fibonaccii(i32 noundef %9) #11
  %11 = load i32, ptr %2, align 4, !tbaa !26
  %12 = sub nsw i32 %11, 2
  %13 = call noundef i32 @_Z9fibonaccii(i32 noundef %12) #11
  %14 = add nsw i32 %10, %13
  br label %15

15:                                               ; preds = %7, %5
  %16 = phi i32 [ %6, %5 ], [ %14, %7 ]
  ret i32 %16
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @recursion(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !22
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = srem i32 %3, 12
  %5 = call noundef i32 @_Z9fibonaccii(i32 noundef %4) #11
  %6 = load ptr, ptr %2, align 8, !tbaa !22
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %9 = mul nsw i32 %7, %8
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %11 = add nsw i32 %9, %10
  %12 = sext i32 %11 to i64
  %13 = getelementptr inbounds i32, ptr %6, i64 %12
  store i32 %5, ptr %13, align 4, !tbaa !26
  ret void
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z7descendiPi(i32 noundef %0, ptr noundef %1) #9 {
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  store i32 %0, ptr %4, align 4, !tbaa !26
  store ptr %1, ptr %5, align 8, !tbaa !22
  %6 = load i32, ptr %4, align 4, !tbaa !26
  %7 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %8 = sext i32 %7 to i64
  %9 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ7descendiPiE5depth to ptr), i64 0, i64 %8
  store i32 %6, ptr %9, align 4, !tbaa !26
  %10 = load i32, ptr %4, align 4, !tbaa !26
  %11 = icmp eq i32 %10, 7
  br i1 %11, label %12, label %23

12:                                               ; preds = %2
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %14 = add nsw i32 70, %13
  %15 = load ptr, ptr %5, align 8, !tbaa !22
  %16 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %18 = mul nsw i32 %16, %17
  %19 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %20 = add nsw i32 %18, %19
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds i32, ptr %15, i64 %21
  store i32 %14, ptr %22, align 4, !tbaa !26
  call void @llvm.nvvm.exit()
  br label %23

23:                                               ; preds = %12, %2
  %24 = load i32, ptr %4, align 4, !tbaa !26
  %25 = icmp eq i32 %24, 0
  br i1 %25, label %26, label %32

26:                                               ; preds = %23
  %27 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds [64 x i32], ptr addrspacecast (ptr addrspace(3) @_ZZ7descendiPiE5depth to ptr), i64 0, i64 %28
  %30 = load i32, ptr %29, align 4, !tbaa !26
  %31 = add nsw i32 %30, 1
  store i32 %31, ptr %3, align 4
  br label %38

32:                                               ; preds = %23
  %33 = load i32, ptr %4, align 4, !tbaa !26
  %34 = sub nsw i32 %33, 1
  %35 = load ptr, ptr %5, align 8, !tbaa !22
  %36 = call noundef i32 @_Z7descendiPi(i32 noundef %34, ptr noundef %35) #11
  %37 = add nsw i32 %36, 1
  store i32 %37, ptr %3, align 4
  br label %38

38:                                               ; preds = %32, %26
  %39 = load i32, ptr %3, align 4
  ret i32 %39
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @recursion_with_slots(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  store ptr %0, ptr %2, align 8, !tbaa !22
  call void @llvm.lifetime.start.p0(i64 4, ptr %3) #10
  %4 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %5 = srem i32 %4, 10
  %6 = load ptr, ptr %2, align 8, !tbaa !22
  %7 = call noundef i32 @_Z7descendiPi(i32 noundef %5, ptr noundef %6) #11
  store i32 %7, ptr %3, align 4, !tbaa !26
  %8 = load i32, ptr %3, align 4, !tbaa !26
  %9 = load ptr, ptr %2, align 8, !tbaa !22
  %10 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %12 = mul nsw i32 %10, %11
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = add nsw i32 %12, %13
  %15 = sext i32 %14 to i64
  %16 = getelementptr inbounds i32, ptr %9, i64 %15
  store i32 %8, ptr %16, align 4, !tbaa !26
  call void @llvm.lifetime.end.p0(i64 4, ptr %3) #10
  ret void
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z7add_onei(i32 noundef %0) #9 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !26
  %3 = load i32, ptr %2, align 4, !tbaa !26
  %4 = add nsw i32 %3, 1
  ret i32 %4
}

; Function Attrs: convergent mustprogress nounwind
define dso_local noundef i32 @_Z5twicei(i32 noundef %0) #9 {
  %2 = alloca i32, align 4
  store i32 %0, ptr %2, align 4, !tbaa !26
  %3 = load i32, ptr %2, align 4, !tbaa !26
  %4 = mul nsw i32 %3, 2
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %6 = add nsw i32 %4, %5
  ret i32 %6
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @function_pointers(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  store ptr %0, ptr %3, align 8, !tbaa !22
  store ptr %1, ptr %4, align 8, !tbaa !22
  %5 = load ptr, ptr %3, align 8, !tbaa !22
  %6 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %7 = sext i32 %6 to i64
  %8 = getelementptr inbounds i32, ptr %5, i64 %7
  %9 = load i32, ptr %8, align 4, !tbaa !26
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [2 x ptr], ptr addrspacecast (ptr addrspace(4) @_ZL5table to ptr), i64 0, i64 %10
  %12 = load ptr, ptr %11, align 8, !tbaa !22
  %13 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %14 = call noundef i32 %12(i32 noundef %13) #11
  %15 = load ptr, ptr %4, align 8, !tbaa !22
  %16 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %17 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %18 = mul nsw i32 %16, %17
  %19 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %20 = add nsw i32 %18, %19
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds i32, ptr %15, i64 %21
  store i32 %14, ptr %22, align 4, !tbaa !26
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @globals(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !22
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = srem i32 %3, 4
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds [4 x i32], ptr addrspacecast (ptr addrspace(4) @weights to ptr), i64 0, i64 %5
  %7 = load i32, ptr %6, align 4, !tbaa !26
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %9 = srem i32 %8, 4
  %10 = sext i32 %9 to i64
  %11 = getelementptr inbounds [4 x i32], ptr addrspacecast (ptr addrspace(1) @global_state to ptr), i64 0, i64 %10
  %12 = load i32, ptr %11, align 4, !tbaa !26
  %13 = add nsw i32 %7, %12
  %14 = load ptr, ptr %2, align 8, !tbaa !22
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %16 = sext i32 %15 to i64
  %17 = getelementptr inbounds i32, ptr %14, i64 %16
  store i32 %13, ptr %17, align 4, !tbaa !26
  %18 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %19 = icmp slt i32 %18, 4
  br i1 %19, label %20, label %25

20:                                               ; preds = %1
  %21 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %22 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %23 = sext i32 %22 to i64
  %24 = getelementptr inbounds [4 x i32], ptr addrspacecast (ptr addrspace(1) @global_state to ptr), i64 0, i64 %23
  store i32 %21, ptr %24, align 4, !tbaa !26
  br label %25

25:                                               ; preds = %20, %1
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @local_table(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca [8 x i32], align 4
  %6 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !22
  store ptr %1, ptr %4, align 8, !tbaa !22
  call void @llvm.lifetime.start.p0(i64 32, ptr %5) #10
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #10
  store i32 0, ptr %6, align 4, !tbaa !26
  br label %7

7:                                                ; preds = %20, %2
  %8 = load i32, ptr %6, align 4, !tbaa !26
  %9 = icmp slt i32 %8, 8
  br i1 %9, label %11, label %10

10:                                               ; preds = %7
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #10
  br label %23

11:                                               ; preds = %7
  %12 = load i32, ptr %6, align 4, !tbaa !26
  %13 = load i32, ptr %6, align 4, !tbaa !26
  %14 = mul nsw i32 %12, %13
  %15 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %16 = add nsw i32 %14, %15
  %17 = load i32, ptr %6, align 4, !tbaa !26
  %18 = sext i32 %17 to i64
  %19 = getelementptr inbounds [8 x i32], ptr %5, i64 0, i64 %18
  store i32 %16, ptr %19, align 4, !tbaa !26
  br label %20

20:                                               ; preds = %11
  %21 = load i32, ptr %6, align 4, !tbaa !26
  %22 = add nsw i32 %21, 1
  store i32 %22, ptr %6, align 4, !tbaa !26
  br label %7, !llvm.loop !53

23:                                               ; preds = %10
  %24 = load ptr, ptr %3, align 8, !tbaa !22
  %25 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %26 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %27 = mul nsw i32 %25, %26
  %28 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %29 = add nsw i32 %27, %28
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds i32, ptr %24, i64 %30
  %32 = load i32, ptr %31, align 4, !tbaa !26
  %33 = and i32 %32, 7
  %34 = sext i32 %33 to i64
  %35 = getelementptr inbounds [8 x i32], ptr %5, i64 0, i64 %34
  %36 = load i32, ptr %35, align 4, !tbaa !26
  %37 = load ptr, ptr %4, align 8, !tbaa !22
  %38 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %39 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %40 = mul nsw i32 %38, %39
  %41 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %42 = add nsw i32 %40, %41
  %43 = sext i32 %42 to i64
  %44 = getelementptr inbounds i32, ptr %37, i64 %43
  store i32 %36, ptr %44, align 4, !tbaa !26
  call void @llvm.lifetime.end.p0(i64 32, ptr %5) #10
  ret void
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @escape_time(ptr noundef %0, i32 noundef %1, i32 noundef %2, i32 noundef %3) #0 {
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = alloca i32, align 4
  %10 = alloca i32, align 4
  %11 = alloca i32, align 4
  %12 = alloca float, align 4
  %13 = alloca float, align 4
  %14 = alloca float, align 4
  %15 = alloca float, align 4
  %16 = alloca i32, align 4
  %17 = alloca float, align 4
  store ptr %0, ptr %5, align 8, !tbaa !22
  store i32 %1, ptr %6, align 4, !tbaa !26
  store i32 %2, ptr %7, align 4, !tbaa !26
  store i32 %3, ptr %8, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(i64 4, ptr %9) #10
  %18 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %19 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %20 = mul nsw i32 %18, %19
  %21 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %22 = add nsw i32 %20, %21
  store i32 %22, ptr %9, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(i64 4, ptr %10) #10
  %23 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %24 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %25 = mul nsw i32 %23, %24
  %26 = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %27 = add nsw i32 %25, %26
  store i32 %27, ptr %10, align 4, !tbaa !26
  %28 = load i32, ptr %9, align 4, !tbaa !26
  %29 = load i32, ptr %6, align 4, !tbaa !26
  %30 = icmp sge i32 %28, %29
  br i1 %30, label %35, label %31

31:                                               ; preds = %4
  %32 = load i32, ptr %10, align 4, !tbaa !26
  %33 = load i32, ptr %7, align 4, !tbaa !26
  %34 = icmp sge i32 %32, %33
  br i1 %34, label %35, label %36

35:                                               ; preds = %31, %4
  store i32 1, ptr %11, align 4
  br label %96

36:                                               ; preds = %31
  call void @llvm.lifetime.start.p0(i64 4, ptr %12) #10
  %37 = load i32, ptr %9, align 4, !tbaa !26
  %38 = sitofp i32 %37 to float
  %39 = fmul float 3.000000e+00, %38
  %40 = load i32, ptr %6, align 4, !tbaa !26
  %41 = sitofp i32 %40 to float
  %42 = fdiv float %39, %41
  %43 = fadd float -2.000000e+00, %42
  store float %43, ptr %12, align 4, !tbaa !35
  call void @llvm.lifetime.start.p0(i64 4, ptr %13) #10
  %44 = load i32, ptr %10, align 4, !tbaa !26
  %45 = sitofp i32 %44 to float
  %46 = fmul float 3.000000e+00, %45
  %47 = load i32, ptr %7, align 4, !tbaa !26
  %48 = sitofp i32 %47 to float
  %49 = fdiv float %46, %48
  %50 = fadd float -1.500000e+00, %49
  store float %50, ptr %13, align 4, !tbaa !35
  call void @llvm.lifetime.start.p0(i64 4, ptr %14) #10
  store float 0.000000e+00, ptr %14, align 4, !tbaa !35
  call void @llvm.lifetime.start.p0(i64 4, ptr %15) #10
  store float 0.000000e+00, ptr %15, align 4, !tbaa !35
  call void @llvm.lifetime.start.p0(i64 4, ptr %16) #10
  store i32 0, ptr %16, align 4, !tbaa !26
  br label %51

51:                                               ; preds = %66, %36
  %52 = load i32, ptr %16, align 4, !tbaa !26
  %53 = load i32, ptr %8, align 4, !tbaa !26
  %54 = icmp slt i32 %52, %53
  br i1 %54, label %55, label %64

55:                                               ; preds = %51
  %56 = load float, ptr %14, align 4, !tbaa !35
  %57 = load float, ptr %14, align 4, !tbaa !35
  %58 = fmul float %56, %57
  %59 = load float, ptr %15, align 4, !tbaa !35
  %60 = load float, ptr %15, align 4, !tbaa !35
  %61 = fmul float %59, %60
  %62 = fadd float %58, %61
  %63 = fcmp olt float %62, 4.000000e+00
  br label %64

64:                                               ; preds = %55, %51
  %65 = phi i1 [ false, %51 ], [ %63, %55 ]
  br i1 %65, label %66, label %85

66:                                               ; preds = %64
  call void @llvm.lifetime.start.p0(i64 4, ptr %17) #10
  %67 = load float, ptr %14, align 4, !tbaa !35
  %68 = load float, ptr %14, align 4, !tbaa !35
  %69 = fmul float %67, %68
  %70 = load float, ptr %15, align 4, !tbaa !35
  %71 = load float, ptr %15, align 4, !tbaa !35
  %72 = fmul float %70, %71
  %73 = fsub float %69, %72
  %74 = load float, ptr %12, align 4, !tbaa !35
  %75 = fadd float %73, %74
  store float %75, ptr %17, align 4, !tbaa !35
  %76 = load float, ptr %14, align 4, !tbaa !35
  %77 = fmul float 2.000000e+00, %76
  %78 = load float, ptr %15, align 4, !tbaa !35
  %79 = fmul float %77, %78
  %80 = load float, ptr %13, align 4, !tbaa !35
  %81 = fadd float %79, %80
  store float %81, ptr %15, align 4, !tbaa !35
  %82 = load float, ptr %17, align 4, !tbaa !35
  store float %82, ptr %14, align 4, !tbaa !35
  %83 = load i32, ptr %16, align 4, !tbaa !26
  %84 = add nsw i32 %83, 1
  store i32 %84, ptr %16, align 4, !tbaa !26
  call void @llvm.lifetime.end.p0(i64 4, ptr %17) #10
  br label %51, !llvm.loop !54

85:                                               ; preds = %64
  %86 = load i32, ptr %16, align 4, !tbaa !26
  %87 = sitofp i32 %86 to float
  %88 = load ptr, ptr %5, align 8, !tbaa !22
  %89 = load i32, ptr %10, align 4, !tbaa !26
  %90 = load i32, ptr %6, align 4, !tbaa !26
  %91 = mul nsw i32 %89, %90
  %92 = load i32, ptr %9, align 4, !tbaa !26
  %93 = add nsw i32 %91, %92
  %94 = sext i32 %93 to i64
  %95 = getelementptr inbounds float, ptr %88, i64 %94
  store float %87, ptr %95, align 4, !tbaa !35
  call void @llvm.lifetime.end.p0(i64 4, ptr %16) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %15) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %14) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %13) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %12) #10
  store i32 0, ptr %11, align 4
  br label %96

96:                                               ; preds = %85, %35
  call void @llvm.lifetime.end.p0(i64 4, ptr %10) #10
  call void @llvm.lifetime.end.p0(i64 4, ptr %9) #10
  %97 = load i32, ptr %11, align 4
  switch i32 %97, label %99 [
    i32 0, label %98
    i32 1, label %98
  ]

98:                                               ; preds = %96, %96
  ret void

99:                                               ; preds = %96
  unreachable
}

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @device_memory(ptr noundef %0) #0 {
  %2 = alloca ptr, align 8
  %3 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8, !tbaa !22
  call void @llvm.lifetime.start.p0(i64 8, ptr %3) #10
  %4 = call ptr @malloc(i64 noundef 8) #11
  store ptr %4, ptr %3, align 8, !tbaa !22
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %6 = load ptr, ptr %3, align 8, !tbaa !22
  %7 = getelementptr inbounds i32, ptr %6, i64 0
  store i32 %5, ptr %7, align 4, !tbaa !26
  %8 = load ptr, ptr %3, align 8, !tbaa !22
  %9 = getelementptr inbounds i32, ptr %8, i64 1
  store i32 3, ptr %9, align 4, !tbaa !26
  %10 = load ptr, ptr %3, align 8, !tbaa !22
  %11 = getelementptr inbounds i32, ptr %10, i64 0
  %12 = load i32, ptr %11, align 4, !tbaa !26
  %13 = load ptr, ptr %3, align 8, !tbaa !22
  %14 = getelementptr inbounds i32, ptr %13, i64 1
  %15 = load i32, ptr %14, align 4, !tbaa !26
  %16 = mul nsw i32 %12, %15
  %17 = load ptr, ptr %2, align 8, !tbaa !22
  %18 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds i32, ptr %17, i64 %19
  store i32 %16, ptr %20, align 4, !tbaa !26
  %21 = load ptr, ptr %3, align 8, !tbaa !22
  call void @free(ptr noundef %21) #11
  call void @llvm.lifetime.end.p0(i64 8, ptr %3) #10
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local ptr @malloc(i64 noundef) #6

; Function Attrs: convergent nounwind
declare dso_local void @free(ptr noundef) #6

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @sine(ptr noundef %0, ptr noundef %1, i32 noundef %2) #0 {
  %4 = alloca ptr, align 8
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store ptr %0, ptr %4, align 8, !tbaa !22
  store ptr %1, ptr %5, align 8, !tbaa !22
  store i32 %2, ptr %6, align 4, !tbaa !26
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #10
  %8 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %9 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %10 = mul nsw i32 %8, %9
  %11 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %12 = add nsw i32 %10, %11
  store i32 %12, ptr %7, align 4, !tbaa !26
  %13 = load i32, ptr %7, align 4, !tbaa !26
  %14 = load i32, ptr %6, align 4, !tbaa !26
  %15 = icmp slt i32 %13, %14
  br i1 %15, label %16, label %27

16:                                               ; preds = %3
  %17 = load ptr, ptr %4, align 8, !tbaa !22
  %18 = load i32, ptr %7, align 4, !tbaa !26
  %19 = sext i32 %18 to i64
  %20 = getelementptr inbounds double, ptr %17, i64 %19
  %21 = load double, ptr %20, align 8, !tbaa !29
  %22 = call double @__nv_sin(double noundef %21) #11
  %23 = load ptr, ptr %5, align 8, !tbaa !22
  %24 = load i32, ptr %7, align 4, !tbaa !26
  %25 = sext i32 %24 to i64
  %26 = getelementptr inbounds double, ptr %23, i64 %25
  store double %22, ptr %26, align 8, !tbaa !29
  br label %27

27:                                               ; preds = %16, %3
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #10
  ret void
}

; Function Attrs: convergent nounwind
declare dso_local double @__nv_sin(double noundef) #6

; Function Attrs: convergent mustprogress norecurse nounwind
define dso_local void @spaces(ptr noundef %0, ptr noundef %1) #0 {
  %3 = alloca ptr, align 8
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  store ptr %0, ptr %3, align 8, !tbaa !22
  store ptr %1, ptr %4, align 8, !tbaa !22
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #10
  store i32 1, ptr %5, align 4, !tbaa !26
  %6 = call i1 @llvm.nvvm.isspacep.shared(ptr addrspacecast (ptr addrspace(3) @_ZZ6spacesE1s to ptr))
  %7 = zext i1 %6 to i32
  %8 = load ptr, ptr %3, align 8, !tbaa !22
  %9 = getelementptr inbounds i32, ptr %8, i64 0
  store i32 %7, ptr %9, align 4, !tbaa !26
  %10 = load ptr, ptr %4, align 8, !tbaa !22
  %11 = call i1 @llvm.nvvm.isspacep.shared(ptr %10)
  %12 = zext i1 %11 to i32
  %13 = load ptr, ptr %3, align 8, !tbaa !22
  %14 = getelementptr inbounds i32, ptr %13, i64 1
  store i32 %12, ptr %14, align 4, !tbaa !26
  %15 = load ptr, ptr %4, align 8, !tbaa !22
  %16 = call i1 @llvm.nvvm.isspacep.global(ptr %15)
  %17 = zext i1 %16 to i32
  %18 = load ptr, ptr %3, align 8, !tbaa !22
  %19 = getelementptr inbounds i32, ptr %18, i64 2
  store i32 %17, ptr %19, align 4, !tbaa !26
  %20 = call i1 @llvm.nvvm.isspacep.local(ptr %5)
  %21 = zext i1 %20 to i32
  %22 = load ptr, ptr %3, align 8, !tbaa !22
  %23 = getelementptr inbounds i32, ptr %22, i64 3
  store i32 %21, ptr %23, align 4, !tbaa !26
  %24 = call i1 @llvm.nvvm.isspacep.const(ptr addrspacecast (ptr addrspace(4) @weights to ptr))
  %25 = zext i1 %24 to i32
  %26 = load ptr, ptr %3, align 8, !tbaa !22
  %27 = getelementptr inbounds i32, ptr %26, i64 4
  store i32 %25, ptr %27, align 4, !tbaa !26
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #10
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.nvvm.isspacep.shared(ptr nocapture) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.nvvm.isspacep.global(ptr nocapture) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.nvvm.isspacep.local(ptr nocapture) #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i1 @llvm.nvvm.isspacep.const(ptr nocapture) #2

attributes #0 = { convergent mustprogress norecurse nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+ptx85,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { convergent nocallback nounwind }
attributes #4 = { nocallback nounwind memory(argmem: readwrite) }
attributes #5 = { nocallback nounwind }
attributes #6 = { convergent nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+ptx85,+sm_90" }
attributes #7 = { convergent noreturn nounwind memory(inaccessiblemem: readwrite) }
attributes #8 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #9 = { convergent mustprogress nounwind "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx80,+ptx85,+sm_90" }
attributes #10 = { nounwind }
attributes #11 = { convergent nounwind }

!nvvm.annotations = !{!0, !1, !2, !3, !4, !5, !6, !7, !8, !9, !10, !11, !12, !13, !14, !15, !16, !17, !18}
!llvm.module.flags = !{!19, !20, !21}

!0 = !{ptr @coordinates, !"kernel", i32 1}
!1 = !{ptr @parameters, !"kernel", i32 1}
!2 = !{ptr @grid_stride, !"kernel", i32 1}
!3 = !{ptr @histogram, !"kernel", i32 1}
!4 = !{ptr @atomics, !"kernel", i32 1}
!5 = !{ptr @print, !"kernel", i32 1}
!6 = !{ptr @raise, !"kernel", i32 1}
!7 = !{ptr @raise_before_barrier, !"kernel", i32 1}
!8 = !{ptr @trap, !"kernel", i32 1}
!9 = !{ptr @assertion, !"kernel", i32 1}
!10 = !{ptr @recursion, !"kernel", i32 1}
!11 = !{ptr @recursion_with_slots, !"kernel", i32 1}
!12 = !{ptr @function_pointers, !"kernel", i32 1}
!13 = !{ptr @globals, !"kernel", i32 1}
!14 = !{ptr @local_table, !"kernel", i32 1}
!15 = !{ptr @escape_time, !"kernel", i32 1}
!16 = !{ptr @device_memory, !"kernel", i32 1}
!17 = !{ptr @sine, !"kernel", i32 1}
!18 = !{ptr @spaces, !"kernel", i32 1}
!19 = !{i32 1, !"wchar_size", i32 4}
!20 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!21 = !{i32 7, !"frame-pointer", i32 2}
!22 = !{!23, !23, i64 0}
!23 = !{!"any pointer", !24, i64 0}
!24 = !{!"omnipotent char", !25, i64 0}
!25 = !{!"Simple C++ TBAA"}
!26 = !{!27, !27, i64 0}
!27 = !{!"int", !24, i64 0}
!28 = !{!24, !24, i64 0}
!29 = !{!30, !30, i64 0}
!30 = !{!"double", !24, i64 0}
!31 = !{!32, !32, i64 0}
!32 = !{!"short", !24, i64 0}
!33 = !{!34, !34, i64 0}
!34 = !{!"bool", !24, i64 0}
!35 = !{!36, !36, i64 0}
!36 = !{!"float", !24, i64 0}
!37 = !{!38, !32, i64 16}
!38 = !{!"_ZTS5Mixed", !24, i64 0, !30, i64 8, !32, i64 16}
!39 = !{!40, !40, i64 0}
!40 = !{!"long long", !24, i64 0}
!41 = !{!38, !24, i64 0}
!42 = !{!38, !30, i64 8}
!43 = !{i8 0, i8 2}
!44 = !{}
!45 = distinct !{!45, !46}
!46 = !{!"llvm.loop.mustprogress"}
!47 = distinct !{!47, !46}
!48 = !{!49, !27, i64 0}
!49 = !{!"_ZTSZ5printE3$_0", !27, i64 0, !30, i64 8, !23, i64 16, !40, i64 24}
!50 = !{!49, !30, i64 8}
!51 = !{!49, !23, i64 16}
!52 = !{!49, !40, i64 24}
!53 = distinct !{!53, !46}
!54 = distinct !{!54, !46}
